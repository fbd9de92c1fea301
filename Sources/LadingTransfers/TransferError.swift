import ErrorDescriptions
public import Foundation
import LadingHTTP

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

    public var description: String { message.redactingSecrets }

    private var message: String {
        switch self {
        case .targetExists(let file): "\(file.path) already exists: move it, or choose another name"
        case .targetNotWritable(let file, let cause):
            "cannot write \(file.path)\(cause.descriptionSuffix): make its folder writable, or choose another"
        case .targetFolderMissing(let file): "no folder \(file.deletingLastPathComponent().path): create it, or choose another"
        case .diskFull(let file, let needed?): "the disk of \(file.path) is full: free up \(Self.size(needed))"
        case .diskFull(let file, nil): "the disk of \(file.path) is full: free up space"
        case .lengthMismatch(let file, let expected, let found):
            "the part file of \(file.path) has \(found) of \(expected) bytes: another process changed it, download it again"
        case .partFileInUse(let file): "another process is downloading to \(file.path): wait until it ends, or choose another name"
        case .sourceUnreadable(let file, let cause):
            "cannot read \(file.path)\(cause.descriptionSuffix): make it readable, or choose another file"
        case .sourceChanged(let file): "\(file.path) changed during the upload: upload it again"
        case .expired(let url, let status): "\(url.path) is no longer available (\(status)): resume with a new URL"
        case .unsupportedContentCoding(let url, let coding):
            "the server sends \(url.path) only with the unsupported content coding \(coding)"
        case .inconsistentResponse(let url, let what): "\(url.authority ?? "the server") sent an inconsistent response: \(what)"
        case .digestMismatch(let url): "the data from \(url.authority ?? "the server") does not match its digest: download it again"
        case .unexpectedContent(let url):
            "the data from \(url.authority ?? "the server") does not match the expected digest: check the digest and the URL"
        case .unsupportedDigest(let name): "the digest algorithm \(name) is not supported: choose another one"
        case .tooLarge(let url, let limit?): "\(url.authority ?? "the server") accepts files up to \(Self.size(limit))"
        case .tooLarge(let url, nil): "the file is too large for \(url.authority ?? "the server")"
        case .failedBefore(let reason): reason
        case .unknownTransfer(let id): "no transfer \(id)"
        case .journalInUse(let owner?) where owner == getpid():
            "the journal is in use by another FileTransfers of this program: use that one, or shut it down first"
        case .journalInUse(let owner?): "the journal is in use by process \(owner): end that process, or open another journal"
        case .journalInUse(nil): "the journal is in use by another process: end that process, or open another journal"
        }
    }

    private static func size(_ bytes: Int) -> String { bytes.formatted(.byteCount(style: .file)) }
}
