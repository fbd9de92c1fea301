import Foundation

@testable import Window

/// The templates as they ship.
enum Templates {
    static func all() throws -> [(name: String, text: String)] {
        let folder = try WindowServer.resourceFolder().appending(path: "Templates")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
            ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }
}
