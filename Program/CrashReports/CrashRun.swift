import FilePermissions
import Foundation
import Synchronization

/// The record of a running program, for the next start to find after a crash: a folder that is locked during the run.
///
/// The system releases the lock however the process ends, so a reused process id or a power cut cannot be mistaken for a running program.
package final class CrashRun: Sendable {
    static let lockName = "run.json"
    static let operationsName = "operations"
    static let backtraceName = "backtrace"

    /// The last operations, recorded as they occur.
    package let operations: OperationRing
    private let folder: URL
    /// The descriptor that holds the lock; nil after `end()`.
    private let descriptor: Mutex<Int32?>

    /// Creates the folder under a temporary name, and renames it once it is locked, so that it is not mistaken for an ended run.
    init(_ metadata: RunMetadata, in folder: URL) throws {
        let unlocked = folder.deletingLastPathComponent().appending(path: "new-\(folder.lastPathComponent)", directoryHint: .isDirectory)
        try? FileManager.default.removeItem(at: unlocked)
        do {
            try PrivateFiles.createDirectory(unlocked)
            try PrivateFiles.write(JSONEncoder().encode(metadata), to: unlocked.appending(path: Self.lockName))
            operations = try OperationRing(unlocked.appending(path: Self.operationsName))
        } catch {
            try? FileManager.default.removeItem(at: unlocked)
            throw error
        }
        guard let lock = Self.lock(unlocked) else { throw CrashDirectory.Failure.current }
        guard rename(unlocked.path(percentEncoded: false), folder.path(percentEncoded: false)) == 0 else {
            // The folder is that of another run, and stays.
            let failure = CrashDirectory.Failure.current
            try? FileManager.default.removeItem(at: unlocked)
            close(lock)
            throw failure
        }
        descriptor = Mutex(lock)
        self.folder = folder
    }

    deinit {
        end()
    }

    /// Removes the folder and releases the lock. Further calls have no effect.
    package func end() {
        guard let lock = descriptor.withLock({ $0.take() }) else { return }
        try? FileManager.default.removeItem(at: folder)
        close(lock)
    }

    /// Locks the folder of an ended run and returns the descriptor; nil when the run has not ended or another program examines it.
    static func lock(_ folder: URL) -> Int32? {
        let file = open(folder.appending(path: lockName).path(percentEncoded: false), O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        return file
    }
}
