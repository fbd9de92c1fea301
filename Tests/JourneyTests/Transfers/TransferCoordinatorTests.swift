import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import Testing

@testable import LadingCommand

@Suite(.timeLimit(.minutes(10))) struct TransferCoordinatorTests {
    @Test func `Commands are run again after the journal has failed, and the error is reported once`() async throws {
        var record = TransferRecord(
            id: try #require(TransferID(rawValue: "aaaaaaaa")), direction: .download, remote: try #require(URL(string: "http://a.org/")),
            file: URL(filePath: "/none/a"), created: Date(timeIntervalSince1970: 0))
        record.status = .paused
        let (journal, clock, log) = (MemoryTransferJournal([record]), ManualClock(), Log())
        let coordinator = TransferCoordinator(directory: URL(filePath: "/none"), journal: journal, clock: clock)
        let transfers = FileTransfers(client: BackendClient(executor: ScriptedExecutor()), queue: BackendQueue(), journal: journal)
        try await transfers.restore()
        try await journal.post(TransferCommand(.cancel, record.id))
        journal.fail(with: CocoaError(.fileWriteOutOfSpace))

        let run = Task {
            try await coordinator.retrying(onFailure: { log.append("\($0)") }) { try await transfers.runQueuedCommands() }
        }
        for attempt in 0..<3 {
            _ = await clock.nextTimer()
            if attempt == 2 { journal.fail(with: nil) }
            clock.advance(by: TransferCoordinator.retryInterval)
        }
        try await journal.wait(for: record.id) { $0.status == .cancelled }
        run.cancel()
        await transfers.shutDown()

        #expect(log.lines.count == 1)
        #expect(try await journal.consumeCommands() == [])
    }
}
