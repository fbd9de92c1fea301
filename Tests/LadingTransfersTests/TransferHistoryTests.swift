import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import Testing

/// The transfers that have ended.
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

    private func download(to file: URL, _ journal: GatedTransferJournal) async throws {
        let transfers = FileTransfers(client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal)
        let id = try await transfers.download(url, to: file)
        _ = try await transfers.completion(of: id)
    }
}
