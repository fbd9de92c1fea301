// Adds and sends writes without end, and prints the confirmed ones; tests kill it.
//
//     OutboxProgram FILE URL FIRST
//
// Write N is about subject N % 4; those about subjects 2 and 3 supersede one another.

import CAllocationFaults
import Foundation
import LadingHTTP
import LadingJournals
import LadingNIO
import LadingOperations
import LadingOutbox

@main
enum OutboxProgram {
    static func main() async throws {
        guard allocation_fault_begin() == 0 else { exit(70) }
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[2]), let first = Int(arguments[3]) else { exit(64) }
        // The process is killed, so the executor is never shut down.
        let outbox = try await Outbox(
            client: BackendClient(executor: AsyncHTTPClientExecutor()), queue: BackendQueue(),
            journal: try SQLiteOutboxJournal(at: URL(filePath: arguments[1], directoryHint: .notDirectory)),
            limits: OutboxLimits(base: .milliseconds(1), cap: .milliseconds(5), minimumDelay: .milliseconds(1)))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await outbox.run() }
            group.addTask { try await add(to: outbox, url, from: first) }
        }
    }

    private static func add(to outbox: Outbox, _ url: URL, from first: Int) async throws {
        for number in first... {
            let subject = number % 4
            do {
                try await outbox.add(
                    OutboxRequest(url: url.appending(path: "\(subject)"), body: Array("\(number)".utf8)), changing: "\(subject)",
                    at: Date(timeIntervalSince1970: TimeInterval(number)), key: IdempotencyKey(rawValue: "write-\(number)"),
                    supersedesPrevious: subject >= 2)
            } catch OutboxError.full {
                return
            }
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
