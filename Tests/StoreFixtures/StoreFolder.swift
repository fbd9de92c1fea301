package import Foundation

/// A temporary folder, which is removed on deallocation.
package final class StoreFolder: Sendable {
    package let url: URL
    private let name: String

    /// - Parameter name: The name of the database in the folder.
    package init(_ name: String = "records") throws {
        self.name = name
        url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var file: URL { url.appending(path: "\(name).sqlite") }
    package var log: URL { url.appending(path: "\(name).sqlite-wal") }
    /// The size of the log in bytes; nil if there is none.
    package var logSize: Int? { try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize }
    package var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
}
