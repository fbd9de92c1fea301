import Foundation
import LadingConformance
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingTransfers

/// A scenario that downloads a file beside a paused transfer; an unfinished download resumes in the next process.
struct TransferScenario: FaultScenario {
    private static let body = BlobGenerator.body(1, count: 300_000)
    private static let url = URL(string: "https://example.org/file")!
    private static let pausedID = TransferID(rawValue: "aaaaaaaa")!

    private let journalFile: URL
    private let target: URL
    private var hasStarted = false
    private var isFinished = false

    init(folder: URL) {
        journalFile = folder.appending(path: "transfers.sqlite", directoryHint: .notDirectory)
        target = folder.appending(path: "file.bin", directoryHint: .notDirectory)
    }

    func prepare() async throws {
        var paused = TransferRecord(
            id: Self.pausedID, direction: .download, remote: Self.url, file: target.appendingPathExtension("other"),
            created: Date(timeIntervalSince1970: 1_800_000_000))
        paused.status = .paused
        let journal = try SQLiteTransferJournal(at: journalFile)
        try await journal.save(paused)
        try journal.close()
    }

    mutating func run() async {
        guard let journal = try? SQLiteTransferJournal(at: journalFile) else { return }
        let transfers = makeTransfers(journal)
        if let id = try? await transfers.download(Self.url, to: target) {
            hasStarted = true
            isFinished = (try? await transfers.completion(of: id)) != nil
        }
        await transfers.shutDown()
        try? journal.close()
    }

    func problems() async throws -> [String] {
        var problems: [String] = []
        if isFinished, content != Self.body { problems.append("the file that was finished is not whole") }
        if let content, content != Self.body { problems.append("the file has its name and is not whole") }
        let journal = try SQLiteTransferJournal(at: journalFile)
        defer { try? journal.close() }
        if journal.quarantinedFile != nil { problems.append("the journal was set aside") }
        let transfers = makeTransfers(journal)
        try await transfers.restore()
        if transfers[Self.pausedID]?.status != .paused { problems.append("the transfer that is paused is forgotten") }
        if hasStarted, transfers.all.count < 2 { problems.append("the transfer is forgotten") }
        do { try await resumeOrRestart(transfers) } catch {
            // An existing file with the name is not replaced.
            if content == nil { problems.append("the transfer does not go on: \(error)") }
        }
        await transfers.shutDown()
        if content != Self.body { problems.append("the file is not whole after all") }
        return problems
    }

    /// Resumes the transfer, or starts it if it is unknown.
    private func resumeOrRestart(_ transfers: FileTransfers) async throws {
        guard let known = transfers.all.first(where: { $0.id != Self.pausedID }) else {
            let id = try await transfers.download(Self.url, to: target, replacing: true)
            _ = try await transfers.completion(of: id)
            return
        }
        if known.status == .failed { try await transfers.resume(known.id) }
        if known.status != .finished { _ = try await transfers.completion(of: known.id) }
    }

    /// The content of the file; nil if it does not exist.
    private var content: [UInt8]? { (try? Data(contentsOf: target)).map { Array($0) } }

    private func makeTransfers(_ journal: SQLiteTransferJournal) -> FileTransfers {
        FileTransfers(
            client: BackendClient(executor: FixedExecutor(body: Self.body)), queue: BackendQueue(), journal: journal,
            retryPolicy: TransferRetryPolicy(attempts: 3, base: .milliseconds(1), cap: .milliseconds(2)))
    }
}
