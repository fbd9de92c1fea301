public import Foundation

/// A download or an upload as it stands: what anyone sees who watches it by its id.
public struct FileTransfer: Identifiable, Sendable {
    /// Which way the bytes go.
    public enum Direction: String, Hashable, Sendable, Codable {
        case download, upload
    }

    public let id: TransferID
    public let direction: Direction
    /// Where the bytes come from or go to on the network.
    public internal(set) var remote: URL
    /// Where they go to or come from on this machine.
    public let file: URL
    public internal(set) var status: TransferStatus
    /// How many bytes are there, and how many there will be when that is known.
    public internal(set) var completed: Int
    public internal(set) var total: Int?
    /// Whether it can go on where it stopped; nil until the server has shown it.
    public internal(set) var isResumable: Bool?
    /// Why it failed, or why it waits: a line for people.
    public internal(set) var reason: String?
    /// Why it failed, while the program that saw it runs.
    public internal(set) var error: (any Error)?
}

extension FileTransfer {
    /// A transfer as a journal tells it.
    public init(_ record: TransferRecord) {
        self.init(
            id: record.id, direction: record.direction, remote: record.remote, file: record.file, status: record.status,
            completed: record.completed, total: record.total, isResumable: record.isResumable, reason: record.reason, error: nil)
    }
}
