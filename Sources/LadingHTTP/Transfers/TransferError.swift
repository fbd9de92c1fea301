public import Foundation

/// A failure of a transfer, beyond those of `BackendError`; its description says how to resolve it.
public enum TransferError: Error {
    // MARK: Local files

    /// A file exists at the target and may not be replaced.
    case targetExists(URL)
    case targetNotWritable(URL, cause: any Error)
    /// The folder of the target does not exist.
    case targetFolderMissing(URL)
    /// The disk is full; with the required space in bytes, when known.
    case diskFull(URL, needed: Int?)
    /// The part file has more or fewer bytes than were received: another program wrote to it.
    case lengthMismatch(URL, expected: Int, found: Int)
    /// Another process is writing to the part file of this target, or has removed it.
    case partFileInUse(URL)
    case sourceUnreadable(URL, cause: any Error)
    /// The source of an upload has changed since the upload started.
    case sourceChanged(URL)

    // MARK: Servers

    /// The URL has expired; with another one the transfer can resume.
    case expired(URL, status: Int)
    /// The server insists on a content coding, which has no ranges to request.
    case unsupportedContentCoding(URL, String)
    /// The response contradicts the request or itself.
    case inconsistentResponse(URL, String)
    /// The received data does not match the server's digest.
    case digestMismatch(URL)
    /// The received file does not match the caller's digest.
    case unexpectedContent(URL)
    /// The digest algorithm of this name is not supported.
    case unsupportedDigest(String)
    /// The server accepts no file of this length; with its limit in bytes, when known.
    case tooLarge(URL, limit: Int?)
    /// The transfer failed in an earlier process, for this reason.
    case failedBefore(String)
    /// No such transfer exists.
    case unknownTransfer(TransferID)
    /// Another `FileTransfers` owns the journal; with its process id, when known.
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
        case .expired(let url, let status): "the server no longer provides \(url.path) (\(status)): resume with another address"
        case .unsupportedContentCoding(let url, let coding):
            "the server sends \(url.path) in the coding \(coding) only, which cannot be saved as it is"
        case .inconsistentResponse(let url, let what): "\(url.authority ?? "the server") contradicts itself: \(what)"
        case .digestMismatch(let url): "the data from \(url.authority ?? "the server") is not what it says that it sent (digest)"
        case .unexpectedContent(let url): "the data from \(url.authority ?? "the server") does not have the expected digest"
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
