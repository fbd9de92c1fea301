import Foundation
import LadingHTTP
import ServerStartup
import ServiceLifecycle

/// Carries the transfers of a data directory while the program runs: those that were left, and those that other programs wish for.
struct TransferCarrier: Service {
    let directory: URL
    let engine: Engine

    func run() async throws {
        let desk = try TransferDesk(directory)
        do {
            try await cancelWhenGracefulShutdown { try await carry(at: desk) }
        } catch is CancellationError {
            return
        } catch {
            // The rest of the program goes on without.
            Terminal.error.write("lading: transfers are not carried: \(error)\n")
        }
        try? await gracefulShutdown()
    }

    private func carry(at desk: TransferDesk) async throws {
        // A command that carries a transfer of its own gives the directory back when it is done.
        var lock = try desk.take()
        while lock == nil {
            try await desk.rest()
            lock = try desk.take()
        }
        defer { lock?.release() }
        let transfers = desk.transfers(engine)
        do {
            try await transfers.restore()
            try await transfers.attend()
        } catch {
            await transfers.shutdown()
            throw error
        }
    }
}
