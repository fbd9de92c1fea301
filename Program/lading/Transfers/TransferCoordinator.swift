import FileAccess
import FilePermissions
import Foundation
import LadingJournals
import LadingTransfers
import ServerStartup

/// The transfers of a data directory. Only the program that owns the journal runs transfers; others post commands to the journal.
struct TransferCoordinator: Sendable {
    static let journalName = "transfers.sqlite"

    /// The interval at which other programs poll the state of a transfer.
    static let pollInterval = Duration.milliseconds(250)

    /// The delay before work is repeated after an error of the journal.
    static let retryInterval = Duration.seconds(10)

    let directory: URL
    let journal: any TransferJournal
    /// The clock of both intervals.
    let clock: any Clock<Duration>
}

extension TransferCoordinator {
    init(_ directory: URL, clock: any Clock<Duration> = ContinuousClock()) throws {
        do {
            try PrivateFiles.createDirectory(directory)
        } catch {
            throw DirectoryLock.Failure.unavailable(directory, cause: error)
        }
        let journal = try SQLiteTransferJournal(at: directory.appending(path: Self.journalName, directoryHint: .notDirectory))
        self.init(directory: directory, journal: journal, clock: clock)
        Self.reportDamage(of: journal)
    }

    private static func reportDamage(of journal: SQLiteTransferJournal) {
        if let quarantinedFile = journal.quarantinedFile {
            Terminal.error.write(
                """
                lading: the transfer journal was damaged: moved it to \(quarantinedFile.path) and created a new one. \
                Recovered transfers: \(journal.recoveredCount); start lost ones again, and remove their partial files (.NAME.ID.part).

                """)
        }
        if journal.corruptCount > 0 {
            Terminal.error.write(
                "lading: removed damaged transfers from the journal: \(journal.corruptCount); start them again\n")
        }
        if journal.corruptCommandCount > 0 {
            Terminal.error.write(
                """
                lading: removed damaged commands from the transfer journal: \(journal.corruptCommandCount); list the transfers with \
                "lading transfers", and resume, pause or cancel them again

                """)
        }
    }

    /// Acquires ownership of the journal and restores its transfers, until `shutDown()`; nil when another program owns it.
    ///
    /// - Parameter only: The transfers to resume; nil means all.
    func acquireTransfers(_ engine: Engine, restoring ids: Set<TransferID>?) async throws -> FileTransfers? {
        let transfers = FileTransfers(client: engine.client, queue: engine.queue, journal: journal)
        do {
            try await transfers.restore(only: ids)
            return transfers
        } catch TransferError.journalInUse {
            return nil
        } catch {
            await transfers.shutDown()
            throw error
        }
    }

    private func acquireOwnership() throws -> TransferOwnership? {
        do { return try journal.acquireOwnership() } catch TransferError.journalInUse { return nil }
    }

    /// Whether any program runs transfers.
    func hasOwner() throws -> Bool {
        guard let ownership = try acquireOwnership() else { return true }
        ownership.release()
        return false
    }

    /// Waits for the poll interval.
    func waitForNextPoll() async throws { try await clock.sleep(for: Self.pollInterval) }

    /// Performs work, and after an error again, since it may pass: a full disk, or a lock on the journal.
    ///
    /// - Parameter onFailure: Called with an error, unless its description is that of the previous one.
    /// - Throws: `CancellationError`.
    func retrying<Outcome>(
        onFailure: (any Error) -> Void = { _ in }, _ work: () async throws -> Outcome
    ) async throws -> Outcome {
        var lastDescription: String?
        while true {
            do { return try await work() } catch let error as CancellationError { throw error } catch {
                let description = "\(error)"
                if description != lastDescription { onFailure(error) }
                lastDescription = description
            }
            try await clock.sleep(for: Self.retryInterval)
        }
    }

    /// Returns the transfer with an id.
    ///
    /// - Throws: `ProgramFailure` when there is none.
    func record(_ id: TransferID) async throws -> TransferRecord {
        guard let record = try await journal.record(of: id) else {
            throw ProgramFailure(message: "no transfer \(id): list the transfers with \"lading transfers\"")
        }
        return record
    }

    /// Changes the record of a transfer. Returns false while another program runs transfers, which would overwrite the change.
    func change(_ id: TransferID, _ body: (inout TransferRecord) -> Void) async throws -> Bool {
        guard let ownership = try acquireOwnership() else { return false }
        defer { ownership.release() }
        var record = try await record(id)
        body(&record)
        try await journal.save(record)
        return true
    }

    /// Stores a transfer, or finds an unfinished one with the same direction, URL and file.
    ///
    /// The new record decides whether that one replaces a file.
    func findOrCreate(_ record: TransferRecord) async throws -> TransferID {
        let existing = try await journal.records().last {
            $0.direction == record.direction && $0.remote == record.remote && $0.file == record.file && !$0.status.isFinal
        }
        guard let existing else {
            try await journal.save(record)
            return record.id
        }
        if existing.replacesTarget != record.replacesTarget { try await setReplacesTarget(record.replacesTarget, existing.id) }
        return existing.id
    }

    /// Returns the last finished download of a URL to a file if that file is complete; nil otherwise.
    func completeDownload(of remote: URL, to file: URL) async throws -> TransferRecord? {
        let lastDownload = try await journal.records().last {
            $0.direction == .download && $0.remote == remote && $0.file == file && $0.status == .finished
        }
        guard let lastDownload else { return nil }
        return try await FileThreadPool().runCancellable { try lastDownload.isComplete(checkCancellation: $0) } ? lastDownload : nil
    }

    private func setReplacesTarget(_ replaces: Bool, _ id: TransferID) async throws {
        guard try await !change(id, { $0.replacesTarget = replaces }) else { return }
        try await journal.post(TransferCommand(replaces ? .replaceTarget : .retainTarget, id))
    }
}
