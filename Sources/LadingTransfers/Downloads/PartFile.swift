package import FileAccess
import FileLocks
package import Foundation

/// The received part of a download, in a file next to the target until it is complete.
package struct PartFile: Sendable {
    /// The maximum length of a name in file systems, in bytes.
    private static let nameLimit = 255

    package let target: URL
    package let url: URL

    /// Creates the path of a hidden file whose name contains those of the target and the transfer.
    package init(of target: URL, id: TransferID) {
        self.target = target
        url = Self.hiddenFile(nextTo: target, suffix: ".\(id).part")
    }

    /// Returns the path of a hidden file whose name begins with that of the target, as far as file systems allow.
    static func hiddenFile(nextTo target: URL, suffix: String) -> URL {
        var name = target.lastPathComponent
        while name.utf8.count + suffix.utf8.count + 1 > nameLimit { name.removeLast() }
        return target.deletingLastPathComponent().appending(path: ".\(name)\(suffix)", directoryHint: .notDirectory)
    }

    /// Opens and locks the file, creating it if it is missing.
    ///
    /// - Throws: `TransferError`; `.partFileInUse` when it is locked.
    package func open() throws -> RandomAccessFile {
        do throws(LockedFile.Failure) {
            return try RandomAccessFile.openLocked(url)
        } catch {
            switch error {
            case .locked: throw TransferError.partFileInUse(target)
            case .unavailable(let cause): throw Self.transferError(cause, target: target)
            }
        }
    }

    /// Checks that the target can be created or replaced, before any data is transferred.
    package func checkTarget(replacing: Bool) throws {
        var status = stat()
        guard lstat(target.path, &status) == 0 else { return }
        // Replacing a folder, a device or a pipe by a file would destroy it.
        let isReplaceable = [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
        // A target that is this file already was published by an attempt that was killed before it could record that.
        var part = stat()
        let isOurs = lstat(url.path, &part) == 0 && part.st_ino == status.st_ino && part.st_dev == status.st_dev
        guard (replacing && isReplaceable) || isOurs else { throw TransferError.targetExists(target) }
    }

    /// Removes the file unless another open file has locked it.
    package func remove() {
        guard let file = try? RandomAccessFile.openForReading(url), file.tryLock() else { return }
        _ = unlink(url.path)
    }

    /// Returns the `TransferError` for a system error.
    package static func transferError(_ error: any Error, target: URL) -> any Error {
        switch (error as? POSIXError)?.code {
        case .ENOSPC, .EDQUOT, .EFBIG: TransferError.diskFull(target, needed: nil)
        case .ENOENT, .ENOTDIR: TransferError.targetFolderMissing(target)
        case .EEXIST: TransferError.targetExists(target)
        case nil: error
        default: TransferError.targetNotWritable(target, cause: error)
        }
    }
}
