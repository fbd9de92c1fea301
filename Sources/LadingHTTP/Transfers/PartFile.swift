import FileLocks
import Foundation

/// What has arrived of a download, in a file beside the target until it is whole.
struct PartFile: Sendable {
    /// The longest name that file systems take, in bytes.
    private static let nameLimit = 255

    let target: URL
    let url: URL

    /// A hidden file whose name tells what it belongs to.
    init(of target: URL, id: TransferID) {
        self.target = target
        let ending = ".\(id).part"
        var name = target.lastPathComponent
        while name.utf8.count + ending.utf8.count + 1 > Self.nameLimit { name.removeLast() }
        url = target.deletingLastPathComponent().appending(path: ".\(name)\(ending)", directoryHint: .notDirectory)
    }

    /// Opens and locks it, and creates it when it is missing.
    ///
    /// - Throws: `TransferError`; `.partFileInUse` when it is locked.
    func open() throws -> RandomAccessFile {
        do throws(LockedFile.Failure) {
            return try RandomAccessFile.openLocked(url)
        } catch {
            switch error {
            case .held: throw TransferError.partFileInUse(target)
            case .unusable(let cause): throw Self.transferError(cause, target: target)
            }
        }
    }

    /// Refuses a target that cannot come about, before a byte is moved.
    func checkTarget(replacing: Bool) throws {
        var status = stat()
        guard lstat(target.path, &status) == 0 else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // A file that is this one already was published by an attempt that did not live to tell.
        var part = stat()
        let isOurs = lstat(url.path, &part) == 0 && part.st_ino == status.st_ino && part.st_dev == status.st_dev
        guard (replacing && !isFolder) || isOurs else { throw TransferError.targetExists(target) }
    }

    /// Removes it, unless another open file has it locked.
    func remove() {
        guard let file = try? RandomAccessFile.openForReading(url), file.tryLock() else { return }
        _ = unlink(url.path)
    }

    /// What an error of the system means for the target.
    static func transferError(_ error: any Error, target: URL) -> any Error {
        switch (error as? POSIXError)?.code {
        case .ENOSPC, .EDQUOT, .EFBIG: TransferError.diskFull(target, needed: nil)
        case .ENOENT, .ENOTDIR: TransferError.targetFolderMissing(target)
        case .EEXIST: TransferError.targetExists(target)
        case nil: error
        default: TransferError.targetNotWritable(target, cause: error)
        }
    }
}
