import FilePermissions
import Foundation
import Synchronization

/// One run of the program as its successor will find it, should it crash: a folder that is locked while the run lasts.
///
/// The system gives the lock back however the process ends, so neither a process id that is used again nor a power cut can deceive.
package final class CrashRun: Sendable {
    static let lockName = "run.json"
    static let operationsName = "operations"
    static let backtraceName = "backtrace"

    /// The last operations; they are told to it while they happen.
    package let operations: OperationRing
    private let folder: URL
    /// Holds the lock; nil once ended.
    private let descriptor: Mutex<Int32?>

    /// Makes the folder. It gets its name when it is locked, so that nobody takes it for one that was left.
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
        descriptor = Mutex(lock)
        self.folder = folder
        guard rename(unlocked.path(percentEncoded: false), folder.path(percentEncoded: false)) == 0 else {
            throw CrashDirectory.Failure.current
        }
    }

    deinit {
        end()
    }

    /// Leaves nothing behind; a second call does nothing.
    package func end() {
        guard let lock = descriptor.withLock({ $0.take() }) else { return }
        try? FileManager.default.removeItem(at: folder)
        close(lock)
    }

    /// Takes the lock of a folder: the run that made it is over. Nil when it is not, or another program looks at it right now.
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
