import Foundation

@testable import Window

/// The shipped templates.
enum Templates {
    static func all() throws -> [(name: String, text: String)] {
        let folder = try WindowServer.resourceFolder().appending(path: "Templates")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "mustache" }.map {
            ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }
}
