import LadingFeeds
import LadingTesting
import Testing

/// A server whose list changes, flights that land in any order or not at all, and somebody who scrolls, jumps and refreshes.
@Suite struct PagerChanceTests {
    @Test(arguments: Seeds.several(30)) func `In the end the list is what the server has`(seed: UInt64) async throws {
        var game = Game(seed: seed)
        try await game.play(rounds: 150)
        try await game.settle()

        let stored = try await game.desk.store.records(in: 0..<1_000).rows.map(\.id)
        #expect(stored == game.list, "LADING_SEED=\(seed)")
    }

    private struct Game {
        let seed: UInt64
        var desk = PagerDesk()
        var list = Array(0..<130)
        private var random: SeededRandom
        private var lastID = 1_000

        init(seed: UInt64) {
            self.seed = seed
            random = SeededRandom(seed: seed)
        }

        mutating func play(rounds: Int) async throws {
            try await desk.open()
            for _ in 0..<rounds {
                try await move()
                check()
            }
        }

        private mutating func move() async throws {
            let start = Int.random(in: 0..<160, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: try await desk.tell(.show(start..<start + 15))
            case 4: try await desk.tell(.jump(to: start))
            case 5: try await desk.tell(.refresh)
            case 6: try await desk.tell(.retry)
            case 7: try await failOne()
            case 8: change()
            default: try await landOne()
            }
        }

        private mutating func landOne() async throws {
            guard let flight = desk.flights.randomElement(using: &random) else { return }
            try await desk.land(flight, from: list, 20)
        }

        /// A failure takes no row away.
        private mutating func failOne() async throws {
            guard let flight = desk.flights.randomElement(using: &random) else { return }
            let before = desk.pager.records.map(\.row)
            try await desk.fail(flight)
            #expect(desk.pager.records.map(\.row) == before, "LADING_SEED=\(seed)")
        }

        private mutating func change() {
            if Bool.random(using: &random) {
                list.insert(lastID, at: Int.random(in: 0...list.count, using: &random))
                lastID += 1
            } else if list.count > 1 {
                list.remove(at: Int.random(in: 0..<list.count, using: &random))
            }
        }

        private func check() {
            let flights = desk.flights
            #expect(Set(flights.map(\.direction)).count == flights.count, "LADING_SEED=\(seed): one flight in a direction")
            #expect(Set(flights.map(\.direction)) == desk.pager.fetching, "LADING_SEED=\(seed)")
            let records = desk.pager.records
            #expect(records.count <= 100, "LADING_SEED=\(seed)")
            #expect(Set(records.map(\.row.id)).count == records.count, "LADING_SEED=\(seed): a row is there once")
            #expect(records.map(\.place) == records.map(\.place).sorted(), "LADING_SEED=\(seed)")
        }

        /// The server rests, and somebody reads the list from the first row to the last.
        mutating func settle() async throws {
            try await desk.tell(.refresh)
            var start = 0
            repeat {
                try await desk.tell(.show(start..<start + 15))
                while !desk.flights.isEmpty { try await desk.land(from: list) }
                start += 10
            } while start < list.count + 40
            #expect(desk.pager.isComplete, "LADING_SEED=\(seed)")
            #expect(desk.flights.isEmpty && desk.pager.failures.isEmpty, "LADING_SEED=\(seed)")
        }
    }
}
