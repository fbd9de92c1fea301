public import Foundation

/// What a journal keeps of a transfer, so that it can go on in another process.
///
/// It holds no header fields: what a request is to carry beyond its URL is handed in again by whoever carries the transfer on.
public struct TransferRecord: Identifiable, Hashable, Sendable {
    public let id: TransferID
    public let direction: FileTransfer.Direction
    public var remote: URL
    public let file: URL
    public var status: TransferStatus = .pending
    /// How many bytes are safely on disk, or were acknowledged by the server.
    public var completed = 0
    public var total: Int?
    public var isResumable: Bool?
    public var reason: String?
    /// Whether a file at the target may be replaced.
    public var replacesTarget: Bool
    /// Which start of the machine this was written in: while it lasts, what was written to a file is there, synced or not.
    public var bootID: String?
    /// Which version of the file at the server the bytes belong to.
    public var version: FileVersion?
    /// What the whole file must come to, as `Repr-Digest` says it (RFC 9530 §3).
    public var digest: String?
    /// The digest that the caller knows the whole file to have.
    public var knownDigest: FileDigest?
    /// Where the server takes the rest of an upload.
    public var resource: URL?
    /// The source of an upload as it was when the upload began.
    public var fingerprint: FileFingerprint?
    public let created: Date

    public init(
        id: TransferID, direction: FileTransfer.Direction, remote: URL, file: URL, replacesTarget: Bool = false, created: Date
    ) {
        self.id = id
        self.direction = direction
        self.remote = remote
        self.file = file
        self.replacesTarget = replacesTarget
        self.created = created
    }

    /// Takes another address. A download keeps what has come, as the server is asked whether its file is that version.
    /// An upload begins anew: what is known of it is known of another server.
    package mutating func changeURL(to url: URL) {
        guard url != remote else { return }
        remote = url
        if direction == .upload { (resource, isResumable, completed) = (nil, nil, 0) }
    }
}
