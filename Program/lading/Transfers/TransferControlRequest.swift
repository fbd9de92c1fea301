import Foundation
import LadingTransfers
import Timing

/// A request to pause or cancel a transfer, posted to the program that runs it, or applied by this program.
struct TransferControlRequest: Sendable {
    /// The time within which the program that runs the transfer must apply the request.
    private static let timeout = Duration.seconds(10)

    private let kind: TransferCommand.Kind
    private let id: TransferID
    private let coordinator: TransferCoordinator
    private let engineOptions: EngineOptions

    init(_ kind: TransferCommand.Kind, _ id: TransferID, _ options: TransferOptions) throws {
        (self.kind, self.id, engineOptions) = (kind, id, options.engine)
        coordinator = try TransferCoordinator(options.directory)
    }

    func send() async throws {
        try await Engine.with(engineOptions) { try await send(through: $0) }
    }

    private func send(through engine: Engine) async throws {
        guard !(try await isApplied()) else { return }
        let record = try await coordinator.record(id)
        guard !record.status.isFinal else { throw ProgramFailure(message: "transfer \(id) is already \(record.status.rawValue)") }
        if let transfers = try await coordinator.acquireTransfers(engine, restoring: []) {
            try await apply(through: transfers)
        } else {
            try await coordinator.journal.post(TransferCommand(kind, id))
            try await wait()
        }
    }

    private func apply(through transfers: FileTransfers) async throws {
        do {
            if kind == .pause { try await transfers.pause(id) } else { try await transfers.cancel(id) }
            await transfers.shutDown()
        } catch {
            await transfers.shutDown()
            throw error
        }
    }

    private func wait() async throws {
        let stopwatch = Stopwatch(coordinator.clock)
        while !(try await isApplied()) {
            guard stopwatch.elapsed() < Self.timeout else {
                throw ProgramFailure(message: "the process that runs transfer \(id) does not respond; it will \(kind.rawValue) it later")
            }
            try await coordinator.waitForNextPoll()
        }
    }

    private func isApplied() async throws -> Bool {
        let status = try await coordinator.record(id).status
        return status == (kind == .pause ? .paused : .cancelled)
    }
}
