import Foundation
import GRDB
import HistoryChecking
import LadingTesting
import OrderLifecycle
import OrderSimulation
import OrderStorage
import OrderStorageSQLite
import Testing

@Suite("Simulation of orders")
struct SimulationTests {
    private static let courierDays = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 1_000 : 50

    @Test func `The history of courier-days with faults, wrong clocks and lost answers has no violation`() async throws {
        var random = SeededRandom(for: "courier-days")
        var (days, actions) = (0, Set<OrderAction>())
        while days < Self.courierDays {
            let plan = SimulationPlan(couriers: 10, dispatchers: 2, days: 1, seed: random.next())
            let records = try await Self.run(plan)

            let violations = HistoryChecker.violations(in: records)
            #expect(violations.map(\.description) == [], "seed \(plan.seed)")
            actions.formUnion(records.flatMap { $0.history ?? [] }.map(\.action))
            days += plan.couriers
        }
        #expect(actions.isSuperset(of: OrderAction.allCases.filter { $0 != .edit && $0 != .accept && $0 != .correct }))
    }

    @Test func `Equal seeds produce equal histories, byte for byte`() async throws {
        let plan = SimulationPlan(couriers: 4, days: 0.3, seed: 42)

        let (first, second) = (try await Self.run(plan), try await Self.run(plan))

        #expect(first.map(HistoryFile.line) == second.map(HistoryFile.line))
        #expect(first.count > 100)
    }

    @Test(arguments: StoreFault.allCases) func `The checker finds each defect of a store`(_ defect: StoreFault) async throws {
        let plan = SimulationPlan(couriers: 8, dispatchers: 2, days: 0.5, seed: 7)

        let records = try await Self.run(plan) { FaultyOrderStore($0, defect) }

        let violations = HistoryChecker.violations(in: records)
        #expect(!violations.isEmpty)
        #expect(violations.first?.records.isEmpty == false)
    }

    private static func run(
        _ plan: SimulationPlan, on wrap: (SQLiteOrderStore) -> any OrderStore = { $0 }
    ) async throws -> [HistoryRecord] {
        let store = wrap(try SQLiteOrderStore.inMemory())
        let service = StoreService(store, dispatchers: Set(plan.dispatcherIDs))
        var simulation = DeterministicSimulation(plan, on: service) { now in _ = try await store.expireLeases(at: now, limit: 1_000) }
        return try await simulation.run()
    }
}
