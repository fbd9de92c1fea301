import Foundation
import ServerStartup

/// A temporary folder for the uploads of the process. Folders of killed processes are removed by the next one.
///
/// A folder is locked while it is in use. It is locked before it gets its name, so that no other process considers it abandoned.
final class UploadFolder: Sendable {
    private static let prefix = "lading-uploads-"
    private static let lockName = "origin.lock"

    let url: URL
    private let lock: DirectoryLock

    /// Creates a folder in another, and removes those of ended processes.
    init(in parent: URL) throws {
        Self.removeStaleFolders(in: parent)
        let name = Self.prefix + UUID().uuidString
        let unnamed = parent.appending(path: "." + name, directoryHint: .isDirectory)
        url = parent.appending(path: name, directoryHint: .isDirectory)
        lock = try DirectoryLock(of: unnamed, fileName: Self.lockName)
        try FileManager.default.moveItem(at: unnamed, to: url)
    }

    deinit { remove() }

    /// Removes the folder and its contents; further calls have no effect.
    func remove() {
        try? FileManager.default.removeItem(at: url)
        lock.release()
    }

    private static func removeStaleFolders(in parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appending(path: name, directoryHint: .isDirectory)
            guard FileManager.default.fileExists(atPath: folder.appending(path: lockName).path),
                let lock = try? DirectoryLock(of: folder, fileName: lockName)
            else { continue }
            try? FileManager.default.removeItem(at: folder)
            lock.release()
        }
    }
}
