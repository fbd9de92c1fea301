package import HistoryChecking
package import OrderLifecycle

/// The people and the duration of a simulation.
package struct SimulationPlan: Hashable, Sendable {
    package var couriers: Int
    package var dispatchers: Int
    /// The number of simulated days.
    package var days: Double
    package var seed: UInt64

    package init(couriers: Int, dispatchers: Int = 1, days: Double = 1, seed: UInt64 = 1) {
        self.couriers = couriers
        self.dispatchers = dispatchers
        self.days = days
        self.seed = seed
    }

    package var courierIDs: [PersonID] { (0..<couriers).map { PersonID(rawValue: "courier-\($0 + 1)") } }
    package var dispatcherIDs: [PersonID] { (0..<dispatchers).map { PersonID(rawValue: "dispatcher-\($0 + 1)") } }

    package var duration: Duration { .milliseconds(Int64(days * 86_400_000)) }

    /// Returns the people, with the couriers first.
    package func agents(
        couriers: [PersonID], dispatchers: [PersonID], at start: Timestamp
    ) -> [any Agent] {
        couriers.enumerated().map { Courier($1, seed: seed, number: $0, start: start) }
            + dispatchers.enumerated().map { Dispatcher($1, seed: seed, number: $0, couriers: couriers, start: start) }
    }
}

/// A simulation in one process on simulated time, in which equal plans produce equal histories.
///
/// Each message is an event of a queue ordered by time, so that requests and responses of different people overtake each other.
package struct Simulation {
    /// The start of simulated time: 15 May 2026, 12:00 UTC.
    package static let start = Timestamp(milliseconds: 1_778_846_400_000)
    private static let leaseExpiryInterval = Duration.seconds(60)
    /// The number of lease expiries between two reads of the feed.
    private static let expiriesPerFeedRead = 10
    private static let feedReader = "feed"

    private enum Event: Sendable {
        case wake(agent: Int)
        case request(SimulatedRequest, agent: Int, exchange: Int, responseDelay: Duration?)
        case response(SimulatedResponse, SimulatedRequest, agent: Int, exchange: Int)
        case expireLeases
    }

    private let plan: SimulationPlan
    private let service: any SimulatedService
    private let expireLeases: @Sendable (Timestamp) async throws -> Void
    private var agents: [any Agent]
    private var network: FaultyNetwork
    private var queue = EventQueue<Event>()
    private var records: [HistoryRecord] = []
    /// The exchange for which each agent waits.
    private var exchanges: [Int: Int] = [:]
    private var exchangeCount = 0
    private var feedPosition: String?
    private var leaseExpiryCount = 0
    private var orders: Set<Int> = []

    /// - Parameter expireLeases: Ends the leases that are over, as a server does periodically.
    package init(
        _ plan: SimulationPlan, on service: any SimulatedService, expireLeases: @escaping @Sendable (Timestamp) async throws -> Void
    ) {
        self.plan = plan
        self.service = service
        self.expireLeases = expireLeases
        agents = plan.agents(couriers: plan.courierIDs, dispatchers: plan.dispatcherIDs, at: Self.start)
        network = FaultyNetwork(seed: plan.seed)
    }

    /// Runs the simulation, then lets everybody send what waits, and returns the history.
    package mutating func run() async throws -> [HistoryRecord] {
        let end = Self.start + plan.duration
        feedPosition = try await service.changes(after: nil).position
        for agent in agents.indices { queue.add(.wake(agent: agent), at: Self.start) }
        queue.add(.expireLeases, at: Self.start)
        var now = Self.start
        while let (time, event) = queue.next() {
            now = time
            try await perform(event, at: now, isEnding: now >= end)
        }
        try await readFinalStates(at: now)
        return records
    }

    private mutating func perform(_ event: Event, at now: Timestamp, isEnding: Bool) async throws {
        switch event {
        case .wake(let agent): wake(agent, at: now, isEnding: isEnding)
        case .request(let request, let agent, let exchange, let responseDelay):
            let response = await service.response(to: request, at: now)
            if case .accepted(let order, _, _, _) = response { orders.insert(order) }
            guard let responseDelay else { return }
            queue.add(.response(response, request, agent: agent, exchange: exchange), at: now + responseDelay)
        case .response(let response, let request, let agent, let exchange):
            // A late or repeated response is not read any more.
            guard exchanges[agent] == exchange else { return }
            exchanges[agent] = nil
            agents[agent].receive(response, to: request, at: now)
            collectRecords(of: agent)
            wake(agent, at: now, isEnding: isEnding)
        case .expireLeases:
            try await expireLeases(now)
            leaseExpiryCount += 1
            if leaseExpiryCount % Self.expiriesPerFeedRead == 0 { try await readFeed(at: now) }
            if !isEnding || !exchanges.isEmpty { queue.add(.expireLeases, at: now + Self.leaseExpiryInterval) }
        }
    }

    private mutating func wake(_ agent: Int, at now: Timestamp, isEnding: Bool) {
        let step = agents[agent].step(at: now, isEnding: isEnding)
        collectRecords(of: agent)
        switch step {
        case .finished: break
        case .wait(let time): queue.add(.wake(agent: agent), at: max(time, now + .milliseconds(1)))
        case .send(let request):
            exchangeCount += 1
            exchanges[agent] = exchangeCount
            let outcome = network.outcome(at: now, isReliable: isEnding)
            for time in outcome.requestTimes {
                queue.add(
                    .request(request, agent: agent, exchange: exchangeCount, responseDelay: outcome.responseDelay), at: time)
            }
            queue.add(.response(.lost, request, agent: agent, exchange: exchangeCount), at: now + FaultyNetwork.responseTimeout)
        }
    }

    private mutating func collectRecords(of agent: Int) {
        records += agents[agent].records
        agents[agent].records = []
    }

    private mutating func readFeed(at now: Timestamp) async throws {
        while true {
            let (events, position) = try await service.changes(after: feedPosition)
            feedPosition = position
            guard !events.isEmpty else { return }
            for event in events {
                var record = HistoryRecord(.change, time: now.milliseconds, client: Self.feedReader, order: event.order)
                record.events = [event.number]
                records.append(record)
            }
        }
    }

    private mutating func readFinalStates(at now: Timestamp) async throws {
        try await expireLeases(now)
        try await readFeed(at: now)
        for order in orders.sorted() {
            guard let state = try await service.finalState(of: order, at: now) else { continue }
            records += state.records(of: order, at: now)
        }
    }
}

extension FinalState {
    /// Returns the records of an order after quiet.
    package func records(of order: Int, at now: Timestamp) -> [HistoryRecord] {
        var end = HistoryRecord(.history, time: now.milliseconds, client: "end", order: order)
        (end.state, end.holder, end.leaseEnd, end.deadline) = (state, holder, leaseEnd, deadline)
        (end.needsAttention, end.history, end.reports) = (needsAttention, events, reports)
        guard !proofs.isEmpty else { return [end] }
        var proof = HistoryRecord(.proof, time: now.milliseconds, client: "end", order: order)
        proof.proofs = proofs
        return [proof, end]
    }
}

/// A queue of events ordered by time; events at the same time stay in the order of their insertion.
struct EventQueue<Event> {
    private struct Entry {
        let time: Timestamp
        let number: Int
        let event: Event

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var count = 0

    mutating func add(_ event: Event, at time: Timestamp) {
        count += 1
        entries.append(Entry(time: time, number: count, event: event))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Timestamp, event: Event)? {
        guard let first = entries.first else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }), entries[least].isBefore(entries[parent]) else {
                break
            }
            entries.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.event)
    }
}
