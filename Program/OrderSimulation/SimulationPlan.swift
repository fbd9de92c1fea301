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
