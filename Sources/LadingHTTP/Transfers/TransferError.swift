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
    case sourceUnreadable(URL, cause: any Error)
    /// The source of an upload is not what it was when the upload began.
    case sourceChanged(URL)

    // MARK: The server

    /// The server no longer gives the file at this URL; with another URL the transfer goes on.
    case expired(URL, status: Int)
    /// The server insists on a content coding, of which no part can be asked for.
    case coded(URL, String)
    /// The reply contradicts what was asked, or itself.
    case misfit(URL, String)
    /// What came is not what the server says that it sent.
    case digestMismatch(URL)
    /// The server takes no file of this length; its limit in bytes when it told.
    case tooLarge(URL, limit: Int?)
    /// It had failed already, in another program, for the reason given.
    case failedBefore(String)
    /// There is no such transfer.
    case unknown(TransferID)
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
        case .sourceUnreadable(let file, let cause): "cannot read \(file.path): \(cause.localizedDescription)"
        case .sourceChanged(let file): "\(file.path) changed while it was uploaded: upload it anew"
        case .expired(let url, let status): "the server no longer gives \(url.path) (\(status)): resume with another address"
        case .coded(let url, let coding): "the server sends \(url.path) in the coding \(coding) only, which cannot be saved as it is"
        case .misfit(let url, let what): "\(url.authority ?? "the server") contradicts itself: \(what)"
        case .digestMismatch(let url): "what came from \(url.authority ?? "the server") is not what it says that it sent (digest)"
        case .tooLarge(let url, let limit?): "\(url.authority ?? "the server") takes files up to \(Self.size(limit))"
        case .tooLarge(let url, nil): "the file is too large for \(url.authority ?? "the server")"
        case .failedBefore(let reason): reason
        case .unknown(let id): "there is no transfer \(id)"
        }
    }

    private static func size(_ bytes: Int) -> String { bytes.formatted(.byteCount(style: .file)) }
}
