import Foundation

/// A temporary folder, which is removed on deallocation.
final class StoreFolder: Sendable {
    let url: URL
    private let name: String

    /// - Parameter name: The name of the database in the folder.
    init(_ name: String = "records") throws {
        self.name = name
        url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: URL { url.appending(path: "\(name).sqlite") }
    var log: URL { url.appending(path: "\(name).sqlite-wal") }
    /// The size of the log in bytes; nil if there is none.
    var logSize: Int? { try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize }
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
}
