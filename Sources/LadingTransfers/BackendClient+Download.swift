public import Foundation
public import HTTPTypes
public import LadingHTTP
public import LadingOperations

extension BackendClient {
    /// Downloads a file, and resumes it after interruptions of the network, of the task and of the process.
    ///
    /// ```swift
    /// try await client.download(url, to: file)
    /// ```
    ///
    /// Until the file is complete, its part file and a small journal are hidden files next to it. A later call with the same URL and file resumes from
    /// them, provided that the server still has the same version; another URL starts over. Cancelling the task, and a failure that another attempt
    /// may resolve, retain both. Use `FileTransfers` for transfers that are paused, listed or managed by several processes. The cache of the client is
    /// not used.
    ///
    /// - Parameters:
    ///   - file: The path of the complete file.
    ///   - replacing: Whether an existing file may be replaced.
    ///   - digest: The digest of the file, if known beforehand; a file with another one is not published.
    ///   - headers: The header fields of each request.
    ///   - queue: The queue that runs the attempts, as background work in a lane for the transfers of the server.
    ///   - retryPolicy: The delays between attempts, and their maximum number.
    ///   - progress: Receives the number of downloaded bytes. It ends with the download, unless it is that of an operation.
    /// - Throws: `TransferError`, `.targetExists` when there is a file and `replacing` is false, `.partFileInUse` while another call downloads to the
    ///   file; `BackendError`; `CancellationError` when the task or the operations of the queue are cancelled.
    public nonisolated(nonsending) func download(
        _ url: URL, to file: URL, replacing: Bool = false, digest: FileDigest? = nil, headers: HTTPFields = [:],
        in queue: BackendQueue = BackendQueue(), retryPolicy: TransferRetryPolicy = TransferRetryPolicy(),
        progress: OperationProgress? = .current
    ) async throws {
        var record = TransferRecord(
            id: DownloadJournal.id, direction: .download, remote: url, file: file, replacesTarget: replacing, created: Date())
        record.knownDigest = digest
        let transfers = FileTransfers(
            client: self, queue: queue, journal: DownloadJournal(of: record), retryPolicy: retryPolicy, headers: { _ in headers })
        do {
            try transfers.context.checkSupport(of: digest)
            try await transfers.restore()
            try await transfers.completion(of: record.id, reportingTo: progress)
        } catch {
            progress?.finishUnlessOfOperation(isComplete: false)
            await transfers.shutDown()
            throw error
        }
        progress?.finishUnlessOfOperation(isComplete: true)
        await transfers.shutDown()
    }
}

extension FileTransfers {
    /// Waits until a transfer is finished, and reports its progress meanwhile.
    ///
    /// - Throws: As `completion(of:)`.
    fileprivate func completion(of id: TransferID, reportingTo progress: OperationProgress?) async throws {
        for await transfer in updates(of: id) {
            progress?.report(completed: transfer.completed, total: transfer.total)
            guard transfer.status == .pending || transfer.status == .running, !transfer.isInterrupted else { break }
        }
        _ = try await completion(of: id)
    }
}
