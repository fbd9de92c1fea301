import Foundation
import LadingHTTP
import LadingSQLite
import Origin

/// The transfers of a data directory. One program at a time carries them: the one that holds the lock. Others leave it their wishes in the journal.
struct TransferDesk: Sendable {
    private static let lockName = "transfers.lock"
    private static let journalName = "transfers.sqlite"

    /// How often a program that does not carry a transfer looks how it stands.
    static let lookInterval = Duration.milliseconds(250)

    let directory: URL
    let journal: any TransferJournal

    init(_ directory: URL) throws {
        self.directory = directory
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw DirectoryLock.Failure.unusable(directory, cause: error)
        }
        let journal = try SQLiteTransferJournal(at: directory.appending(path: Self.journalName, directoryHint: .notDirectory))
        self.journal = journal
        if let damaged = journal.setAside {
            Terminal.error.write("lading: the journal of transfers was damaged; it is kept as \(damaged.path), and a new one is begun.\n")
        }
    }

    /// Becomes the one that carries transfers; nil when another program does.
    func take() throws -> DirectoryLock? {
        do {
            return try DirectoryLock(of: directory, fileName: Self.lockName)
        } catch .held {
            return nil
        } catch {
            throw error
        }
    }

    /// Whether some program carries transfers.
    func isCarried() throws -> Bool {
        guard let lock = try take() else { return true }
        lock.release()
        return false
    }

    /// The transfer of this id.
    func record(_ id: TransferID) async throws -> TransferRecord {
        guard let record = try await journal.record(of: id) else {
            throw ProgramFailure(message: "there is no transfer \(id); \"lading transfers\" prints those there are")
        }
        return record
    }

    /// Writes a transfer down, or finds the one that was begun before with the same ends and did not come to its own.
    func enter(_ record: TransferRecord) async throws -> TransferID {
        let former = try await journal.records().last {
            $0.direction == record.direction && $0.remote == record.remote && $0.file == record.file && !$0.status.isFinal
        }
        if let former { return former.id }
        try await journal.save(record)
        return record.id
    }

    /// What carries transfers, for whoever holds the lock.
    func transfers(_ engine: Engine) -> FileTransfers {
        FileTransfers(client: engine.client, queue: engine.queue, journal: journal)
    }
}
