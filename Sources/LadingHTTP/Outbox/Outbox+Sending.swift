import Foundation
import LadingOperations

// What `run` does: attempts, notes in the journal, alarms.
extension Outbox {
    func perform(_ effect: Effect) async {
        switch effect {
        case .send(let entry): await send(entry)
        case .settle(let entry, let ending): await settle(entry, ending)
        // Without the note everything goes on; only a program that begins later does not know how often it was tried.
        case .note(let entry): try? await journal.note(entry)
        case .alarm, .tell: break
        }
    }

    func followNetwork() async {
        for await network in connectivity.states() { handle(.network(isOnline: network != .offline)) }
    }

    func wait(until time: Duration) async {
        guard (try? await stopwatch.sleep(time)) != nil else { return }
        handle(.due)
    }

    private func send(_ entry: OutboxEntry) async {
        let bounds = ReplyBounds(bodySize: limits.replySize, time: limits.time)
        var message = entry.request.message(key: entry.id)
        message.url = address(message.url)
        let operation = client.operation(BackendRequest(message, bounds: bounds) { $0 }, partition: entry.partition)
        do {
            handle(.sent(entry.id, try await queue.value(of: operation, priority: .prefetch)))
        } catch {
            let isBrokenOff = error is CancellationError || Task.isCancelled
            handle(isBrokenOff ? .interrupted(entry.id) : .failed(entry.id, error, luck: luck()))
        }
    }

    /// Writes down how an entry ended, until the journal has it or nothing is to be done any more.
    private func settle(_ entry: OutboxEntry, _ ending: OutboxEnding) async {
        let answer = Array(ending.answer.prefix(limits.answerSize))
        let receipt = OutboxReceipt(entry, ending.outcome, reason: ending.reason, answer: answer, ended: now())
        while true {
            do {
                // What has happened is written down, also when nobody wants more to happen.
                try await Task { [journal, limits] in try await journal.end(receipt, keeping: limits.receipts) }.value
                return handle(.settled(receipt, ending))
            } catch {
                guard (try? await stopwatch.sleep(stopwatch.elapsed() + limits.leastPause)) != nil else { return }
            }
        }
    }
}
