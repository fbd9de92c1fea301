public import Foundation

/// Why a transfer failed, beyond what a `BackendError` tells; its text says what to do.
public enum TransferError: Error {
    // MARK: The file on this machine

    /// There is a file at the target, and nobody said that it may be replaced.
    case targetExists(URL)
    case targetNotWritable(URL, cause: any Error)
    /// The folder of the target does not exist, or is gone.
    case targetFolderMissing(URL)
    /// The disk is full; in bytes how much is missing of what there would have to be, when that is known.
    case diskFull(URL, needed: Int?)
    /// The bytes on disk are more or fewer than those that arrived: something else wrote to the part file.
    case lengthMismatch(URL, expected: Int, found: Int)
    /// Another process writes to the part file of this target, or has removed it.
    case partFileInUse(URL)
    case sourceUnreadable(URL, cause: any Error)
    /// The source of an upload is not what it was when the upload began.
    case sourceChanged(URL)

    // MARK: The server

    /// The server no longer gives the file at this URL; with another URL the transfer goes on.
    case expired(URL, status: Int)
    /// The server insists on a content coding, of which no part can be asked for.
    case unsupportedContentCoding(URL, String)
    /// The reply contradicts what was asked, or itself.
    case inconsistentResponse(URL, String)
    /// What came is not what the server says that it sent.
    case digestMismatch(URL)
    /// What came is not the file that the caller knows.
    case unexpectedContent(URL)
    /// None of the digests that can be computed has this name.
    case unsupportedDigest(String)
    /// The server takes no file of this length; its limit in bytes when it told.
    case tooLarge(URL, limit: Int?)
    /// It had failed already, in another program, for the reason given.
    case failedBefore(String)
    /// There is no such transfer.
    case unknownTransfer(TransferID)
    /// Another `FileTransfers` runs the transfers of the journal; its process id where that is known.
    case journalInUse(by: Int32?)
}

extension TransferError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .targetExists(let file): "\(file.path) exists already: move it away, or choose another name"
        case .targetNotWritable(let file, let cause): "cannot write \(file.path): \(cause.localizedDescription)"
        case .targetFolderMissing(let file): "there is no folder \(file.deletingLastPathComponent().path)"
        case .diskFull(let file, let needed?): "the disk of \(file.path) has not the \(Self.size(needed)) that are needed: make room"
        case .diskFull(let file, nil): "the disk of \(file.path) is full: make room"
        case .lengthMismatch(let file, let expected, let found):
            "the part file of \(file.path) has \(found) bytes where \(expected) arrived: another program wrote to it"
        case .partFileInUse(let file): "another program downloads to \(file.path)"
        case .sourceUnreadable(let file, let cause): "cannot read \(file.path): \(cause.localizedDescription)"
        case .sourceChanged(let file): "\(file.path) changed while it was uploaded: upload it anew"
        case .expired(let url, let status): "the server no longer gives \(url.path) (\(status)): resume with another address"
        case .unsupportedContentCoding(let url, let coding): "the server sends \(url.path) in the coding \(coding) only, which cannot be saved as it is"
        case .inconsistentResponse(let url, let what): "\(url.authority ?? "the server") contradicts itself: \(what)"
        case .digestMismatch(let url): "what came from \(url.authority ?? "the server") is not what it says that it sent (digest)"
        case .unexpectedContent(let url): "what came from \(url.authority ?? "the server") does not have the expected digest"
        case .unsupportedDigest(let name): "there is no way to compute the digest \(name) here"
        case .tooLarge(let url, let limit?): "\(url.authority ?? "the server") takes files up to \(Self.size(limit))"
        case .tooLarge(let url, nil): "the file is too large for \(url.authority ?? "the server")"
        case .failedBefore(let reason): reason
        case .unknownTransfer(let id): "there is no transfer \(id)"
        case .journalInUse(let owner?): "the process \(owner) runs the transfers of this journal"
        case .journalInUse(nil): "another process runs the transfers of this journal"
        }
    }

    private static func size(_ bytes: Int) -> String { bytes.formatted(.byteCount(style: .file)) }
}
