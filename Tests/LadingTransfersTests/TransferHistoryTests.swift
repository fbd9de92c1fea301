import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import Testing

/// The transfers that have ended, and those that another process begins.
@Suite(.timeLimit(.minutes(10))) struct TransferHistoryTests {
    private let executor = ScriptedExecutor()
    private let gate = Gate()
    private let url: URL

    init() throws {
        url = try #require(URL(string: "http://a.org/big.bin"))
        executor.script(url.absoluteString, .response(text: "content"), behind: gate)
    }

    private func finishedRecords(_ count: Int) -> [TransferRecord] {
        var random = SeededRandom(seed: 7)
        return (0..<count).map { index in
            var record = TransferRecord(
                id: TransferID(using: &random), direction: .download, remote: url, file: URL(filePath: "/none/\(index)"),
                created: Date(timeIntervalSince1970: 0))
            record.status = .finished
            return record
        }
    }

    @Test func `A transfer that ends replaces the oldest ended one beyond the limit, also in the journal`() async throws {
        let records = finishedRecords(FileTransfers.historyLimit)
        let fixture = try TransferFixture(journal: MemoryTransferJournal(records), client: BackendClient(executor: executor))
        let transfers = fixture.transfers
        try await transfers.restore()

        let id = try await transfers.download(url, to: fixture.target)
        let updates = transfers.updates(of: id)
        gate.open()
        for await _ in updates {}

        #expect(transfers.all.map(\.id) == records.dropFirst().map(\.id) + [id])
        #expect(try await fixture.journal.records().map(\.id) == transfers.all.map(\.id))
        #expect(transfers[records[0].id] == nil && transfers[records[1].id]?.status == .finished)
        await #expect(throws: TransferError.self) { try await transfers.pause(records[0].id) }
        await #expect(throws: Never.self) { try await transfers.pause(records[1].id) }
        await transfers.shutDown()
    }

    @Test func `Ended transfers beyond the limit are not restored`() async throws {
        let records = finishedRecords(FileTransfers.historyLimit + 2)
        let fixture = try TransferFixture(journal: MemoryTransferJournal(records), client: BackendClient(executor: executor))

        try await fixture.transfers.restore()

        #expect(fixture.transfers.all.map(\.id) == records.dropFirst(2).map(\.id))
        #expect(try await fixture.journal.records() == Array(records.dropFirst(2)))
        await fixture.transfers.shutDown()
    }

    @Test func `Transfers that have ended do not retain the owner of the journal`() async throws {
        let (journal, fixture) = (GatedTransferJournal(), try TransferFixture())

        // Nothing refers to the transfers after this call, which does not shut them down.
        gate.open()
        try await download(to: fixture.target, journal)
        try await journal.released.wait()

        #expect(fixture.bytes() == Array("content".utf8))
    }

    @Test func `The owner runs a transfer that another process has written to the journal, and reports it`() async throws {
        gate.open()
        let clock = ManualClock()
        let fixture = try TransferFixture(client: BackendClient(executor: executor), clock: clock)
        var changes = fixture.transfers.changes().makeAsyncIterator()
        _ = await changes.next()
        let record = TransferRecord(id: .unique(), direction: .download, remote: url, file: fixture.target, created: Date())
        try await fixture.journal.save(record)
        try await fixture.journal.post(TransferCommand(.resume, record.id))

        let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
        _ = await changes.next()
        let ids = fixture.transfers.all.map(\.id)
        _ = await clock.nextTimer()
        let transfer = try await fixture.transfers.completion(of: record.id)
        commandTask.cancel()

        #expect(ids == [record.id] && transfer.status == .finished && fixture.bytes() == Array("content".utf8))
    }

    @Test func `A transfer that is no longer known is reported`() async throws {
        let records = finishedRecords(FileTransfers.historyLimit)
        let fixture = try TransferFixture(journal: MemoryTransferJournal(records), client: BackendClient(executor: executor))
        try await fixture.transfers.restore()
        _ = try await fixture.transfers.download(url, to: fixture.target)
        var changes = fixture.transfers.changes().makeAsyncIterator()
        _ = await changes.next()

        gate.open()
        _ = await changes.next()

        #expect(fixture.transfers.all.first?.id == records[1].id)
        await fixture.transfers.shutDown()
    }

    @Test func `Unique ids differ, and are valid`() {
        let ids = (0..<100).map { _ in TransferID.unique() }

        #expect(Set(ids).count == 100 && ids.allSatisfy { TransferID(rawValue: $0.rawValue) == $0 })
    }

    private func download(to file: URL, _ journal: GatedTransferJournal) async throws {
        let transfers = FileTransfers(client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal)
        let id = try await transfers.download(url, to: file)
        _ = try await transfers.completion(of: id)
    }
}
