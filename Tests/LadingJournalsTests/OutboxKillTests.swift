import Foundation
import HTTPTypes
import LadingHTTP
import LadingJournals
import LadingNIO
import LadingOperations
import LadingOutbox
import LadingTesting
import ScriptedServers
import Synchronization
import Testing
@testable import StoreFixtures

/// Tests of a program that adds and sends outbox entries and is killed at random moments: confirmed entries reach the server in order, and each takes
/// effect once.
@Suite struct OutboxKillTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil
    private static let killCount = isSoak ? 200 : 20

    @Test(.timeLimit(.minutes(isSoak ? 160 : 16)), arguments: ProgramEnd.allCases)
    func `Confirmed entries survive repeated kills and are sent in order, and allocations that fail`(end: ProgramEnd) async throws {
        let seed = TestSeeds.fromEnvironment ?? 1
        let folder = try StoreFolder("outbox")
        let writeServer = WriteServer(seed: seed)
        let server = try ScriptedServer { writeServer.respond(to: $0) }
        defer { server.stop() }
        var random = SeededRandom(seed: seed)
        var confirmed: Set<Int> = []
        for _ in 0..<Self.killCount {
            let first = (confirmed.max() ?? -1) + 2
            let allocation = end.allocation(using: &random)
            let count = Int.random(in: 0..<15, using: &random)
            let numbers = try await run(folder.file, server.url("/"), from: first, until: count, allocation)
            confirmed.formUnion(numbers)
        }

        try await sendRest(of: folder.file)

        let seen = writeServer.seen
        #expect(end == .failedAllocation || confirmed.count >= Self.killCount, "LADING_SEED=\(seed)")
        // Every other repeated entry was being sent during a kill.
        #expect(seen.repeatedCount <= Self.killCount, "LADING_SEED=\(seed)")
        #expect(seen.outOfOrder == [], "LADING_SEED=\(seed)")
        for subject in 0..<4 {
            let (mine, accepted) = (confirmed.filter { $0 % 4 == subject }.sorted(), seen.accepted["/\(subject)"] ?? [])
            #expect(accepted == accepted.sorted() && Set(accepted).count == accepted.count, "LADING_SEED=\(seed)")
            // An entry that was being added during a kill may be sent as well.
            if subject < 2 { #expect(Set(mine).isSubset(of: accepted), "LADING_SEED=\(seed)") }
            #expect(accepted.last ?? -1 >= mine.last ?? -1, "LADING_SEED=\(seed)")
        }
    }

    /// Sends the remaining entries and waits until none is left.
    private func sendRest(of file: URL) async throws {
        let journal = try SQLiteOutboxJournal(at: file)
        let executor = AsyncHTTPClientExecutor()
        let outbox = try await Outbox(
            client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal,
            limits: OutboxLimits(base: .milliseconds(1), cap: .milliseconds(5), minimumDelay: .milliseconds(1)))
        let events = outbox.events()
        await withDiscardingTaskGroup { group in
            group.addTask { await outbox.run() }
            if !outbox.entries.isEmpty {
                for await event in events {
                    if case .ended = event.change, outbox.entries.isEmpty { break }
                }
            }
            group.cancelAll()
        }
        #expect(try await journal.contents(of: "").entries == [])
        try journal.close()
        try await executor.shutdown()
    }

    /// Runs the program until it has confirmed this many entries or some more, kills it, and returns the confirmed numbers.
    private func run(_ file: URL, _ url: URL, from first: Int, until count: Int, _ allocation: Int?) async throws -> [Int] {
        let arguments = [file.path, url.absoluteString, "\(first)"]
        let lines = try await KilledProgram.lines("OutboxProgram", arguments, failedAllocation: allocation) { $0.count > count }
        let confirmed = lines.compactMap { Int($0) }
        // Enough confirmed entries show that the program did not end by itself.
        #expect(confirmed.count > count || allocation != nil)
        return confirmed
    }
}

/// A server that accepts each key once, fails at times, and records the order of accepted requests.
private final class WriteServer: Sendable {
    struct Seen: Sendable {
        /// The numbers of the accepted requests in order, by path.
        var accepted: [String: [Int]] = [:]
        var keys: Set<String> = []
        /// The number of requests that were already accepted.
        var repeatedCount = 0
        /// The keys whose response was lost; their repetition is not caused by a kill.
        var lostKeys: Set<String> = []
        /// The requests that were repeated after another request with the same subject was accepted.
        var outOfOrder: [String] = []
        var random: SeededRandom
    }

    private let state: Mutex<Seen>

    init(seed: UInt64) {
        state = Mutex(Seen(random: SeededRandom(seed: seed &+ 77)))
    }

    var seen: Seen { state.withLock { $0 } }

    func respond(to request: ReceivedRequest) -> [ScriptedServer.Step] {
        let (isAccepted, isLost) = state.withLock { seen in seen.accept(request) }
        if isLost { return [.close] }
        return [.send("HTTP/1.1 \(isAccepted ? "200 OK" : "503 Busy")\r\nContent-Length: 0\r\n\r\n")]
    }
}

extension WriteServer.Seen {
    /// Returns whether the request is accepted and whether its response is lost.
    fileprivate mutating func accept(_ request: ReceivedRequest) -> (isTaken: Bool, isLost: Bool) {
        guard let key = request["idempotency-key"], let number = Int(String(decoding: request.body, as: UTF8.self)) else {
            outOfOrder.append("no key")
            return (false, false)
        }
        if keys.contains(key) {
            if lostKeys.remove(key) == nil { repeatedCount += 1 }
            if accepted[request.target]?.last != number { outOfOrder.append(key) }
            return (true, false)
        }
        if Int.random(in: 0..<8, using: &random) == 0 { return (false, false) }
        keys.insert(key)
        accepted[request.target, default: []].append(number)
        let isLost = Int.random(in: 0..<8, using: &random) == 0
        if isLost { lostKeys.insert(key) }
        return (true, isLost)
    }
}
