import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import LadingOperations
import LadingSQLite
import LadingTesting
import Synchronization
import Testing

/// A program that adds writes and sends them is killed again and again, at moments drawn by lot: what it has confirmed reaches the server, in order, and each
/// with one effect.
@Suite struct OutboxKillTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil
    private static let kills = isSoak ? 200 : 20

    @Test(.timeLimit(.minutes(isSoak ? 160 : 16)), arguments: ProgramEnd.allCases)
    func `Writes survive kills, and allocations that fail`(end: ProgramEnd) async throws {
        let seed = Seeds.given ?? 1
        let folder = try StoreFolder("outbox")
        let desk = WriteDesk(seed: seed)
        let server = try ScriptedServer { desk.answer($0) }
        defer { server.stop() }
        var random = SeededRandom(seed: seed)
        var confirmed: Set<Int> = []
        for _ in 0..<Self.kills {
            let first = (confirmed.max() ?? -1) + 2
            let allocation = end.allocation(using: &random)
            let count = Int.random(in: 0..<15, using: &random)
            let numbers = try await run(folder.file, server.url("/"), from: first, until: count, allocation)
            confirmed.formUnion(numbers)
        }

        try await sendRest(of: folder.file)

        let seen = desk.seen
        #expect(end == .failedAllocation || confirmed.count >= Self.kills, "LADING_SEED=\(seed)")
        // Whatever is still sent a second time was under way when a kill came.
        #expect(seen.repeated <= Self.kills, "LADING_SEED=\(seed)")
        #expect(seen.outOfOrder == [], "LADING_SEED=\(seed)")
        for subject in 0..<4 {
            let (mine, taken) = (confirmed.filter { $0 % 4 == subject }.sorted(), seen.taken["/\(subject)"] ?? [])
            #expect(taken == taken.sorted() && Set(taken).count == taken.count, "LADING_SEED=\(seed)")
            // One that was being confirmed when a kill came may be there, too.
            if subject < 2 { #expect(Set(mine).isSubset(of: taken), "LADING_SEED=\(seed)") }
            #expect(taken.last ?? -1 >= mine.last ?? -1, "LADING_SEED=\(seed)")
        }
    }

    /// Sends what is left, and waits until nothing is.
    private func sendRest(of file: URL) async throws {
        let journal = try SQLiteOutboxJournal(at: file)
        let executor = AsyncHTTPClientExecutor()
        let outbox = try await Outbox(
            client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal,
            limits: OutboxLimits(base: .milliseconds(1), cap: .milliseconds(5), leastPause: .milliseconds(1)))
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

    /// Runs the program until it has confirmed so many writes, or some more, and kills it; the numbers that it has confirmed.
    private func run(_ file: URL, _ url: URL, from first: Int, until count: Int, _ allocation: Int?) async throws -> [Int] {
        let arguments = [file.path, url.absoluteString, "\(first)"]
        let lines = try await KilledProgram.lines("OutboxProgram", arguments, failedAllocation: allocation) { $0.count > count }
        let confirmed = lines.compactMap { Int($0) }
        // Its output ends with it. That it did not end by itself shows in what it has confirmed.
        #expect(confirmed.count > count || allocation != nil)
        return confirmed
    }
}

/// A server that takes writes once for each key, fails now and then, and remembers in which order it took them.
private final class WriteDesk: Sendable {
    struct Seen: Sendable {
        /// By path, the numbers of the writes that were taken, in order.
        var taken: [String: [Int]] = [:]
        var keys: Set<String> = []
        /// How often a write came that had been taken.
        var repeated = 0
        /// Those whose answer was lost: that they come again is not the fault of a kill.
        var lost: Set<String> = []
        /// Writes that came again after another about the same subject was taken.
        var outOfOrder: [String] = []
        var random: SeededRandom
    }

    private let state: Mutex<Seen>

    init(seed: UInt64) {
        state = Mutex(Seen(random: SeededRandom(seed: seed &+ 77)))
    }

    var seen: Seen { state.withLock { $0 } }

    func answer(_ request: ReceivedRequest) -> [ScriptedServer.Step] {
        let (isTaken, isLost) = state.withLock { seen in seen.take(request) }
        if isLost { return [.hangUp] }
        return [.send("HTTP/1.1 \(isTaken ? "200 OK" : "503 Busy")\r\nContent-Length: 0\r\n\r\n")]
    }
}

extension WriteDesk.Seen {
    /// Whether a write was taken, and whether the answer is lost.
    fileprivate mutating func take(_ request: ReceivedRequest) -> (isTaken: Bool, isLost: Bool) {
        guard let key = request["idempotency-key"], let number = Int(String(decoding: request.body, as: UTF8.self)) else {
            outOfOrder.append("no key")
            return (false, false)
        }
        if keys.contains(key) {
            if lost.remove(key) == nil { repeated += 1 }
            if taken[request.target]?.last != number { outOfOrder.append(key) }
            return (true, false)
        }
        if Int.random(in: 0..<8, using: &random) == 0 { return (false, false) }
        keys.insert(key)
        taken[request.target, default: []].append(number)
        let isLost = Int.random(in: 0..<8, using: &random) == 0
        if isLost { lost.insert(key) }
        return (true, isLost)
    }
}
