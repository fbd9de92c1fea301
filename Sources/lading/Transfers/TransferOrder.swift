import Foundation
import LadingHTTP
import LadingOperations

/// An order to pause or to cancel a transfer: given to the program that carries it, or carried out here.
struct TransferOrder: Sendable {
    /// How long the program that carries the transfer may take to obey.
    private static let patience = Duration.seconds(10)

    private let kind: TransferWish.Kind
    private let id: TransferID
    private let desk: TransferDesk
    private let engineOptions: EngineOptions

    init(_ kind: TransferWish.Kind, _ id: TransferID, _ options: TransferOptions) throws {
        (self.kind, self.id, engineOptions) = (kind, id, options.engine)
        desk = try TransferDesk(options.directory)
    }

    func give() async throws {
        try await Engine.with(engineOptions) { try await give(through: $0) }
    }

    private func give(through engine: Engine) async throws {
        guard !(try await isObeyed()) else { return }
        let record = try await desk.record(id)
        guard !record.status.isFinal else { throw ProgramFailure(message: "transfer \(id) is \(record.status.rawValue)") }
        if let transfers = try await desk.transfers(engine, restoring: []) {
            try await obey(through: transfers)
        } else {
            try await desk.journal.post(TransferWish(kind, id))
            try await wait()
        }
    }

    private func obey(through transfers: FileTransfers) async throws {
        do {
            if kind == .pause { try await transfers.pause(id) } else { try await transfers.cancel(id) }
            await transfers.shutdown()
        } catch {
            await transfers.shutdown()
            throw error
        }
    }

    private func wait() async throws {
        let stopwatch = Stopwatch(desk.clock)
        while !(try await isObeyed()) {
            guard stopwatch.elapsed() < Self.patience else {
                throw ProgramFailure(message: "the program that carries transfer \(id) does not answer; it will find the order")
            }
            try await desk.rest()
        }
    }

    private func isObeyed() async throws -> Bool {
        let status = try await desk.record(id).status
        return status == (kind == .pause ? .paused : .cancelled)
    }
}
