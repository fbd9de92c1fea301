public import Foundation
public import LadingOperations

/// The observable state of a download or an upload.
public struct FileTransfer: Identifiable, Sendable {
    /// The direction of a transfer.
    public enum Direction: String, Hashable, Sendable, Codable {
        case download, upload
    }

    public let id: TransferID
    public let direction: Direction
    /// The URL of the file at the server.
    public internal(set) var remote: URL
    /// The local file.
    public let file: URL
    public internal(set) var status: TransferStatus
    /// The number of transferred bytes, synced or not, and the total when it is known.
    public internal(set) var progress: OperationProgress.Snapshot
    /// Whether the transfer can resume after an interruption; nil before the server has shown it.
    public internal(set) var isResumable: Bool?
    /// The reason of the failure or the delay, in one line for users.
    public internal(set) var reason: String?
    /// The error of a failed transfer, in the process that it failed in.
    public internal(set) var error: (any Error)?
    /// Whether the transfer is pending because its attempt was stopped without a command, such as by its queue.
    var isInterrupted = false

    /// Creates the state of a transfer, for tests and previews.
    public init(
        id: TransferID, direction: Direction, remote: URL, file: URL, status: TransferStatus, progress: OperationProgress.Snapshot,
        isResumable: Bool? = nil, reason: String? = nil, error: (any Error)? = nil
    ) {
        (self.id, self.direction, self.remote, self.file) = (id, direction, remote, file)
        (self.status, self.progress, self.isResumable) = (status, progress, isResumable)
        (self.reason, self.error) = (reason, error)
    }
}

extension FileTransfer {
    /// Creates the state of a transfer from its record in a journal.
    package init(_ record: TransferRecord) {
        self.init(
            id: record.id, direction: record.direction, remote: record.remote, file: record.file, status: record.status,
            progress: .init(completed: record.completed, total: record.total), isResumable: record.isResumable, reason: record.reason,
            error: nil)
    }

    package var completed: Int { progress.completed }
    package var total: Int? { progress.total }
}
