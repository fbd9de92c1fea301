import HistoryChecking
import OrderLifecycle

@testable import OrderSimulation

/// A simulation in one process on simulated time, in which equal plans produce equal histories.
///
/// Each message is an event of a queue ordered by time, so that requests and responses of different people overtake each other.
struct DeterministicSimulation {
    /// The start of simulated time: 15 May 2026, 12:00 UTC.
    static let start = Timestamp(milliseconds: 1_778_846_400_000)
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
    init(
        _ plan: SimulationPlan, on service: any SimulatedService, expireLeases: @escaping @Sendable (Timestamp) async throws -> Void
    ) {
        self.plan = plan
        self.service = service
        self.expireLeases = expireLeases
        agents = plan.agents(couriers: plan.courierIDs, dispatchers: plan.dispatcherIDs, at: Self.start)
        network = FaultyNetwork(seed: plan.seed)
    }

    /// Runs the simulation, then lets everybody send what waits, and returns the history.
    mutating func run() async throws -> [HistoryRecord] {
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
