import Foundation

/// A folder for one test, gone when the test lets go of it.
final class StoreFolder: Sendable {
    let url: URL
    private let name: String

    /// - Parameter name: What the database is called that the test makes in it.
    init(_ name: String = "records") throws {
        self.name = name
        url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: URL { url.appending(path: "\(name).sqlite") }
    var log: URL { url.appending(path: "\(name).sqlite-wal") }
    /// The size of the log in bytes; nil when there is none.
    var logSize: Int? { try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize }
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
}
