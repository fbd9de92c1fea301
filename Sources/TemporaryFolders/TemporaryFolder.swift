package import Foundation

/// A temporary folder that only its owner can read, and that is removed on deinitialization.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// - Parameter name: The beginning of the folder's name.
    package init(named name: String = "lading-test") throws {
        url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Calls a closure with a temporary folder, which is removed afterwards.
package func withTemporaryFolder<Outcome>(_ body: (URL) async throws -> Outcome) async throws -> Outcome {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.url)
}
