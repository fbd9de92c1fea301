import Foundation
import ServerStartup

/// A folder that goes with the process; what a killed one has left behind goes at the next start of another.
///
/// It is locked while it is in use. It has its name only once it is locked, so that nobody takes a new one for one that was left behind.
final class TemporaryFolder: Sendable {
    private static let prefix = "lading-uploads-"
    private static let lockName = "origin.lock"

    let url: URL
    private let lock: DirectoryLock

    /// Makes one in another folder, and clears that of those whose process is gone.
    init(in parent: URL) throws {
        Self.removeAbandonedFolders(in: parent)
        let name = Self.prefix + UUID().uuidString
        let unnamed = parent.appending(path: "." + name, directoryHint: .isDirectory)
        url = parent.appending(path: name, directoryHint: .isDirectory)
        lock = try DirectoryLock(of: unnamed, fileName: Self.lockName)
        try FileManager.default.moveItem(at: unnamed, to: url)
    }

    deinit { remove() }

    /// Removes it, and all that is in it; a second call does nothing.
    func remove() {
        try? FileManager.default.removeItem(at: url)
        lock.release()
    }

    private static func removeAbandonedFolders(in parent: URL) {
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
