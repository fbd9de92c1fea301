import LadingConformance
import LadingRecords
import LadingTesting
import Testing

/// Tests with a changing server, fetches that end in random order or not at all, and a user who scrolls, jumps and refreshes.
@Suite struct PagerRandomizedTests {
    @Test(arguments: TestSeeds.seeds(count: 30)) func `After random events the stored list equals the server's list`(seed: UInt64)
        async throws
    {
        var game = Simulation(seed: seed)
        try await game.run(steps: 150)
        try await game.readForwards()

        let stored = try await game.harness.store.records(in: 0..<1_000).rows.map(\.id)
        #expect(stored == game.list, "LADING_SEED=\(seed)")
    }

    @Test(arguments: TestSeeds.seeds(count: 30))
    func `After random events the list read backwards from its end equals the server's list`(seed: UInt64) async throws {
        var game = Simulation(seed: seed)
        try await game.run(steps: 150)
        try await game.readBackwards()

        let stored = try await game.harness.store.records(in: 0..<1_000).rows.map(\.id)
        #expect(stored == game.list, "LADING_SEED=\(seed)")
    }

    private struct Simulation {
        let seed: UInt64
        var harness = PagerStoreHarness()
        var list = Array(0..<130)
        private var random: SeededRandom
        private var lastID = 1_000

        init(seed: UInt64) {
            self.seed = seed
            random = SeededRandom(seed: seed)
        }

        mutating func run(steps: Int) async throws {
            try await harness.open()
            for _ in 0..<steps {
                try await step()
                check()
            }
        }

        private mutating func step() async throws {
            let start = Int.random(in: 0..<160, using: &random)
            switch Int.random(in: 0..<13, using: &random) {
            case 0..<4: try await harness.send(.visibleRange(start..<start + 15))
            case 4: try await harness.send(.visibleRange(start..<start + 1))
            case 5: try await harness.send(.refresh)
            case 6: try await harness.send(.retry)
            case 7: try await failOne()
            case 8: changeList()
            case 9: try await cancelOne()
            default: try await completeOne()
            }
        }

        private mutating func completeOne() async throws {
            guard let fetch = harness.fetches.randomElement(using: &random) else { return }
            try await harness.complete(fetch, from: list, 20)
        }

        /// Fails a fetch, which must not remove any row.
        private mutating func failOne() async throws {
            guard let fetch = harness.fetches.randomElement(using: &random) else { return }
            let before = harness.pager.records.map(\.row)
            try await harness.fail(fetch)
            #expect(harness.pager.records.map(\.row) == before, "LADING_SEED=\(seed)")
        }

        private mutating func cancelOne() async throws {
            guard let fetch = harness.fetches.randomElement(using: &random) else { return }
            try await harness.cancel(fetch)
        }

        private mutating func changeList() {
            if Bool.random(using: &random) {
                list.insert(lastID, at: Int.random(in: 0...list.count, using: &random))
                lastID += 1
            } else if list.count > 1 {
                list.remove(at: Int.random(in: 0..<list.count, using: &random))
            }
        }

        private func check() {
            let flights = harness.fetches
            #expect(Set(flights.map(\.direction)).count == flights.count, "LADING_SEED=\(seed): one flight in a direction")
            #expect(Set(flights.map(\.direction)) == harness.pager.fetching, "LADING_SEED=\(seed)")
            let records = harness.pager.records
            #expect(records.count <= 100, "LADING_SEED=\(seed)")
            #expect(Set(records.map(\.row.id)).count == records.count, "LADING_SEED=\(seed): a row is there once")
            #expect(records.map(\.place) == records.map(\.place).sorted(), "LADING_SEED=\(seed)")
        }

        /// Refreshes the list and reads it from the first row to the last while the server does not change.
        mutating func readForwards() async throws {
            try await harness.send(.refresh)
            for start in stride(from: 0, to: list.count + 40, by: 10) { try await read(from: start) }
            checkCompleteness()
        }

        /// Refreshes the list and reads it from the last row to the first while the server does not change.
        mutating func readBackwards() async throws {
            try await harness.send(.refresh)
            for start in stride(from: list.count - 10, to: 0, by: -10) { try await read(from: start) }
            try await read(from: 0)
            checkCompleteness()
        }

        /// Shows some rows until all fetches have ended.
        private mutating func read(from start: Int) async throws {
            try await harness.send(.visibleRange(start..<start + 15))
            for _ in 0..<50 { try await harness.complete(from: list) }
        }

        private func checkCompleteness() {
            #expect(harness.pager.isComplete, "LADING_SEED=\(seed)")
            #expect(harness.fetches.isEmpty && harness.pager.failures.isEmpty, "LADING_SEED=\(seed)")
        }
    }
}
