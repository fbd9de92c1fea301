import Foundation
package import HistoryChecking
import OrderLifecycle
import Synchronization

/// A simulation against servers, in which each person acts by itself in real time, faster by a factor.
package struct Simulation: Sendable {
    private let agents: [any Agent]
    private let service: any SimulatedService
    private let speed: Double
    private let duration: Duration
    private let followsChanges: Bool
    private let write: @Sendable ([HistoryRecord]) throws -> Void
    private let orders = OrderSet()

    /// The orders that were created.
    private final class OrderSet: Sendable {
        private let ids = Mutex<Set<Int>>([])
        var all: [Int] { ids.withLock { $0.sorted() } }
        func insert(_ id: Int) { ids.withLock { _ = $0.insert(id) } }
    }

    /// - Parameters:
    ///   - speed: The number of simulated seconds in a second.
    ///   - duration: The simulated duration.
    ///   - followsChanges: Whether the change feed is read while the people act too, not only at the end.
    ///   - write: Stores records.
    package init(
        agents: [any Agent], service: any SimulatedService, speed: Double, duration: Duration, followsChanges: Bool = true,
        write: @escaping @Sendable ([HistoryRecord]) throws -> Void
    ) {
        self.agents = agents
        self.service = service
        self.speed = speed
        self.duration = duration
        self.followsChanges = followsChanges
        self.write = write
    }

    /// The clock of the people: simulated time since the start, and the server's time for everything that is sent.
    private struct Clock {
        let start: ContinuousClock.Instant
        let speed: Double

        /// The simulated time.
        var now: Timestamp {
            let (seconds, attoseconds) = start.duration(to: .now).components
            return Timestamp(milliseconds: Int64((Double(seconds) + Double(attoseconds) / 1e18) * 1_000 * speed))
        }

        func sleep(until time: Timestamp) async throws {
            let rest = Double(time.milliseconds - now.milliseconds) / speed
            try await Task.sleep(for: .milliseconds(Int64(max(rest, 1))))
        }
    }

    /// Runs the simulation, and returns the number of orders whose histories were read.
    ///
    /// - Parameter isEnded: Whether the simulation ends early.
    package func run(isEnded: @escaping @Sendable () -> Bool) async throws -> Int {
        let feedStart = try await service.changes(after: nil).position
        let start = Self.wallClock
        let clock = Clock(start: .now, speed: speed)
        let end = Timestamp(milliseconds: start.milliseconds + Int64(duration / .milliseconds(1)))
        let isQuiet = Flag()
        async let followed = followsChanges ? changes(after: feedStart) { isQuiet.isSet } : []
        try await withThrowingTaskGroup { tasks in
            for agent in agents {
                tasks.addTask { try await runAgent(agent, from: start, until: end, clock, isEnded) }
            }
            // A failure to write ends them all.
            for try await _ in tasks {}
        }
        isQuiet.set()
        try record(try await followed, client: "follower")
        try record(try await changes(after: feedStart) { true }, client: "feed")
        return try await readFinalStates()
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock(\.self) }
        func set() { value.withLock { $0 = true } }
    }

    private static var wallClock: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// Performs the steps of a person until nothing waits.
    private func runAgent(
        _ agent: any Agent, from start: Timestamp, until end: Timestamp, _ clock: Clock, _ isEnded: @Sendable () -> Bool
    ) async throws {
        var agent = agent
        while true {
            let now = Timestamp(milliseconds: start.milliseconds + clock.now.milliseconds)
            let step = agent.step(at: now, isEnding: now >= end || isEnded())
            try flush(&agent)
            switch step {
            case .finished: return
            case .wait(let time):
                // A person looks at the end at least twice a second.
                let latest = now.milliseconds + Int64(500 * speed)
                try await clock.sleep(until: Timestamp(milliseconds: min(time.milliseconds, latest) - start.milliseconds))
            case .send(let request):
                let response = await service.response(to: request, at: now)
                if case .accepted(let order, _, _, _) = response { orders.insert(order) }
                agent.receive(response, to: request, at: Timestamp(milliseconds: start.milliseconds + clock.now.milliseconds))
                try flush(&agent)
                if response == .lost { try await Task.sleep(for: .milliseconds(100)) }
            }
        }
    }

    /// Writes the records of a person, with real times, which the checker compares with the server's.
    private func flush(_ agent: inout any Agent) throws {
        let time = Self.wallClock.milliseconds
        try write(
            agent.records.map { record in
                var record = record
                record.time = time
                return record
            })
        agent.records = []
    }

    // MARK: - The change feed

    /// An event of the change feed, and the time at which it was read.
    private struct Change {
        let event: FeedEvent
        let time: Timestamp
    }

    /// The pause after a page of the feed without events, and after a failed read.
    private static let feedPause = Duration.milliseconds(50)

    /// Returns the events after a position, up to the end of the feed after quiet. Reads before it that fail are repeated.
    private func changes(after start: String, isQuiet: @Sendable () -> Bool) async throws -> [Change] {
        var (position, changes) = (start, [Change]())
        while true {
            let isLast = isQuiet()
            do {
                let (events, next) = try await service.changes(after: position)
                position = next
                changes += events.map { Change(event: $0, time: Self.wallClock) }
                guard events.isEmpty else { continue }
                if isLast { return changes }
            } catch let error where isLast {
                throw error
            } catch {}
            try await Task.sleep(for: Self.feedPause)
        }
    }

    /// Writes the events of the orders that were created by the people.
    private func record(_ changes: [Change], client: String) throws {
        let known = Set(orders.all)
        try write(
            changes.filter { known.contains($0.event.order) }.map { change in
                var record = HistoryRecord(.change, time: change.time.milliseconds, client: client, order: change.event.order)
                record.events = [change.event.number]
                return record
            })
    }

    private func readFinalStates() async throws -> Int {
        for order in orders.all {
            let now = Self.wallClock
            guard let state = try await service.finalState(of: order, at: now) else { continue }
            try write(state.records(of: order, at: now))
        }
        return orders.all.count
    }
}

extension FinalState {
    /// Returns the records of an order after quiet.
    func records(of order: Int, at now: Timestamp) -> [HistoryRecord] {
        var end = HistoryRecord(.history, time: now.milliseconds, client: "end", order: order)
        (end.state, end.holder, end.leaseEnd, end.deadline) = (state, holder, leaseEnd, deadline)
        (end.needsAttention, end.history, end.reports) = (needsAttention, events, reports)
        guard !proofs.isEmpty else { return [end] }
        var proof = HistoryRecord(.proof, time: now.milliseconds, client: "end", order: order)
        proof.proofs = proofs
        return [proof, end]
    }
}
