public import Foundation

/// The record of a transfer in a journal, from which another process can resume it.
///
/// It contains no header fields; the `FileTransfers` that resumes the transfer provides them.
public struct TransferRecord: Identifiable, Hashable, Sendable {
    public let id: TransferID
    public let direction: FileTransfer.Direction
    public var remote: URL
    public let file: URL
    public var status: TransferStatus = .pending
    /// The number of bytes that are safely on disk or that the server has acknowledged.
    public var completed = 0
    /// The size of the file in bytes; nil while it is unknown.
    public var total: Int?
    public var isResumable: Bool?
    public var reason: String?
    /// Whether a file at the target may be replaced.
    public var replacesTarget: Bool
    /// The boot in which the record was written: until the next one, data written to a file is valid, synced or not.
    public var bootID: String?
    /// The version of the file at the server that the bytes belong to.
    public var version: FileVersion?
    /// The digest of the whole file, as sent in `Repr-Digest` (RFC 9530 §3).
    public var digest: String?
    /// The digest that the caller expects of the whole file.
    public var knownDigest: FileDigest?
    /// The URL at which the server accepts the rest of an upload.
    public var resource: URL?
    /// The fingerprint of an upload's source when the upload started, or of a download's complete part file.
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

    /// Changes the URL. A download retains its data, as the next request verifies the version of the file.
    /// An upload starts over, as its progress belongs to another server.
    package mutating func changeURL(to url: URL) {
        guard url != remote else { return }
        remote = url
        if direction == .upload { (resource, isResumable, completed) = (nil, nil, 0) }
    }
}
