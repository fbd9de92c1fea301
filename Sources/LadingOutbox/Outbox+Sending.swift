import Foundation
import LadingHTTP
import LadingOperations
import Timing

// The effects of `run`: attempts, updates of the journal, timers.
extension Outbox {
    func perform(_ effect: Effect) async {
        switch effect {
        case .send(let entry): await send(entry)
        case .complete(let entry, let outcome): await complete(entry, outcome)
        // A failed update is harmless: after a restart only the number of attempts is outdated.
        case .update(let entry): try? await journal.update(entry)
        case .scheduleTimer, .notify: break
        }
    }

    func observeConnectivity() async {
        for await network in connectivity.states() { handle(.network(isConnected: network != .offline)) }
    }

    func wait(until time: Duration) async {
        guard (try? await stopwatch.sleep(time)) != nil else { return }
        handle(.timerFired)
    }

    private func send(_ entry: OutboxEntry) async {
        let responseLimits = ResponseLimits(
            bodySize: limits.responseSize, redirects: limits.redirects, time: limits.requestTimeout)
        var message = entry.request.message(key: entry.id)
        message.url = resolveURL(message.url)
        let operation = client.operation(BackendRequest(message, limits: responseLimits) { $0 }, partition: entry.partition)
        do {
            handle(.sent(entry.id, try await queue.value(of: operation, priority: .prefetch)))
        } catch {
            let isInterrupted = error is CancellationError || Task.isCancelled
            handle(isInterrupted ? .interrupted(entry.id) : .failed(entry.id, error, jitter: jitter()))
        }
    }

    /// Writes the outcome of an entry to the journal; retries until this succeeds or the task is cancelled.
    private func complete(_ entry: OutboxEntry, _ outcome: OutboxOutcome) async {
        let responsePrefix = Array(outcome.responseBody.prefix(limits.responsePrefixSize))
        let receipt = OutboxReceipt(entry, outcome.receiptOutcome, reason: outcome.reason, responsePrefix: responsePrefix, ended: now())
        while true {
            do {
                // The server has responded: the outcome is written even after cancellation.
                try await Task { [journal, limits] in try await journal.replaceEntry(with: receipt, retaining: limits.receipts) }.value
                return handle(.completed(receipt, outcome))
            } catch {
                guard (try? await stopwatch.sleep(stopwatch.elapsed() + limits.minimumDelay)) != nil else { return }
            }
        }
    }
}
