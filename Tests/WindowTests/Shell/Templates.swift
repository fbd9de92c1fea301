import Foundation

@testable import Window

/// The shipped templates.
enum Templates {
    static func all() throws -> [(name: String, text: String)] {
        let files = try FileManager.default.contentsOfDirectory(at: WindowServer.resourceFolder(), includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "mustache" }.map {
            ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }
}
