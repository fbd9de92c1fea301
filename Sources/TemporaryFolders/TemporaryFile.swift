package import Foundation

/// A file that is removed on deinitialization.
package final class TemporaryFile {
    package let url = FileManager.default.temporaryDirectory.appending(path: "lading-test-\(UUID().uuidString)")

    package init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: url)
    }

    package convenience init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
