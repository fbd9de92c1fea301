import LadingConformance
import LadingRecords
import LadingTesting
import Testing

/// Tests with a changing store, reads that end in random order or fail, and a user who scrolls, jumps, searches, sorts, and pauses the results.
@Suite struct ResultPagerRandomizedTests {
    private struct ReadFailure: Error {}

    private static let queries = [
        RecordQuery(), RecordQuery(search: "7"), RecordQuery(search: "nowhere"), RecordQuery(order: .sorted("weight")),
        RecordQuery(search: "1", order: .sorted("weight", descending: true)),
    ]

    @Test(arguments: TestSeeds.seeds(count: 30)) func `After random events the shown rows equal the stored results`(seed: UInt64)
        async throws
    {
        var random = SeededRandom(seed: seed)
        var harness = try await ResultPagerHarness(rows: rows(using: &random))
        harness.send(.open)
        for _ in 0..<150 {
            try await performRandomStep(&harness, &random)
            #expect(harness.pager.records.count <= 100, "LADING_SEED=\(seed)")
        }

        let start = Int.random(in: 0..<150, using: &random)
        harness.send(.paused(false))
        try await harness.runUntilIdle(.retry)
        try await harness.runUntilIdle(.visibleRange(start..<start + 15))

        let query = harness.pager.query
        let found = try await harness.store.records(query, from: .first, limit: 1_000).records
        #expect(harness.pager.count == found.count, "LADING_SEED=\(seed)")
        let (shown, expected) = ((start..<start + 15).compactMap { harness.pager.record(at: $0) }, found.dropFirst(start).prefix(15))
        #expect(shown.map(\.row.id) == expected.map(\.row.id), "LADING_SEED=\(seed)")
        #expect(shown.map(\.localChanges) == expected.map(\.localChanges), "LADING_SEED=\(seed)")
        #expect(harness.pager.failure == nil, "LADING_SEED=\(seed)")
    }

    private func rows(using random: inout SeededRandom) -> [ConformanceRow] {
        (0..<Int.random(in: 0..<200, using: &random)).map { ConformanceRow($0, weight: Double.random(in: 0..<9, using: &random)) }
    }

    private func performRandomStep(_ harness: inout ResultPagerHarness, _ random: inout SeededRandom) async throws {
        let start = Int.random(in: 0..<220, using: &random)
        switch Int.random(in: 0..<18, using: &random) {
        case 0..<4: harness.send(.visibleRange(start..<start + 15))
        case 4: harness.send(.query(Self.queries.randomElement(using: &random)!))
        case 5:
            try await harness.put(rows(using: &random))
            harness.send(.changed)
        case 12..<14:
            let count = try await harness.store.count(RecordQuery())
            try await harness.put((0..<min(200, count + 15)).map { ConformanceRow($0, weight: Double($0 % 9)) })
            harness.send(.changed)
        case 14: try await harness.mark(Int.random(in: 0..<200, using: &random), with: UInt8.random(in: 1...9, using: &random))
        case 6: harness.send(.retry)
        case 15: harness.send(.paused(Bool.random(using: &random)))
        case 7: if !harness.pending.isEmpty { harness.failOne(with: ReadFailure()) }
        case 8..<10: if let index = harness.pending.indices.randomElement(using: &random) { try await harness.prepareOne(at: index) }
        default:
            if !harness.pending.isEmpty { try await harness.performOne(at: Int.random(in: 0..<harness.pending.count, using: &random)) }
        }
    }
}
