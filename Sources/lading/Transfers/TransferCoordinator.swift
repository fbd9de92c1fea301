import FilePermissions
import Foundation
import LadingHTTP
import LadingSQLite
import ServerStartup

/// The transfers of a data directory. One program at a time runs them: the owner of the journal. Others leave it their wishes there.
struct TransferCoordinator: Sendable {
    static let journalName = "transfers.sqlite"

    /// How often a program that does not carry a transfer looks how it stands.
    static let pollInterval = Duration.milliseconds(250)

    let directory: URL
    let journal: any TransferJournal
    /// Measures the time between two looks.
    let clock: any Clock<Duration>

    init(_ directory: URL, clock: any Clock<Duration> = ContinuousClock()) throws {
        self.directory = directory
        self.clock = clock
        do {
            try PrivateFiles.createDirectory(directory)
        } catch {
            throw DirectoryLock.Failure.unusable(directory, cause: error)
        }
        let journal = try SQLiteTransferJournal(at: directory.appending(path: Self.journalName, directoryHint: .notDirectory))
        self.journal = journal
        if let damaged = journal.quarantinedFile {
            Terminal.error.write("lading: the journal of transfers was damaged; it is kept as \(damaged.path), and a new one is begun.\n")
        }
        if journal.damagedCount > 0 {
            Terminal.error.write(
                "lading: damaged transfers that were removed from the journal: \(journal.damagedCount); give their commands again.\n")
        }
    }

    /// Makes this program the owner of the journal, with its transfers restored; nil when another program owns it. Ends with `shutdown()`.
    ///
    /// - Parameter only: The transfers that go on at once; nil means all.
    func acquireTransfers(_ engine: Engine, restoring only: Set<TransferID>?) async throws -> FileTransfers? {
        let transfers = FileTransfers(client: engine.client, queue: engine.queue, journal: journal)
        do {
            try await transfers.restore(only: only)
            return transfers
        } catch TransferError.journalInUse {
            return nil
        } catch {
            await transfers.shutdown()
            throw error
        }
    }

    private func acquireOwnership() throws -> TransferOwnership? {
        do { return try journal.acquireOwnership() } catch TransferError.journalInUse { return nil }
    }

    /// Whether some program runs transfers.
    func hasOwner() throws -> Bool {
        guard let ownership = try acquireOwnership() else { return true }
        ownership.release()
        return false
    }

    /// Waits until it is time to look again what the other program has done.
    func waitForNextPoll() async throws { try await clock.sleep(for: Self.pollInterval) }

    /// The transfer of this id.
    func record(_ id: TransferID) async throws -> TransferRecord {
        guard let record = try await journal.record(of: id) else {
            throw ProgramFailure(message: "there is no transfer \(id); \"lading transfers\" prints those there are")
        }
        return record
    }

    /// Changes what the journal tells of a transfer; false while another program carries transfers, which would write over it.
    func change(_ id: TransferID, _ body: (inout TransferRecord) -> Void) async throws -> Bool {
        guard let ownership = try acquireOwnership() else { return false }
        defer { ownership.release() }
        var record = try await record(id)
        body(&record)
        try await journal.save(record)
        return true
    }

    /// Writes a transfer down, or finds the one that was begun before with the same ends and did not come to its own.
    /// Whether that one replaces a file is as the later command says.
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

    /// The download of this address to this file that has finished last, when its file is whole; nil otherwise.
    func intactDownload(of remote: URL, to file: URL) async throws -> TransferRecord? {
        let former = try await journal.records().last {
            $0.direction == .download && $0.remote == remote && $0.file == file && $0.status == .finished
        }
        guard let former else { return nil }
        return try await FileThreadPool().run { try former.isComplete() } ? former : nil
    }

    private func setReplacesTarget(_ replaces: Bool, _ id: TransferID) async throws {
        guard try await !change(id, { $0.replacesTarget = replaces }) else { return }
        try await journal.post(TransferCommand(replaces ? .replaceTarget : .preserveTarget, id))
    }
}
