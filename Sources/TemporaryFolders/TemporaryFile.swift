import Foundation

/// A file that is removed on deinitialization.
final class TemporaryFile {
    let url = FileManager.default.temporaryDirectory.appending(path: "lading-test-\(UUID().uuidString)")

    init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: url)
    }

    convenience init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
