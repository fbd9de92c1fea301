import Foundation
import LadingRecords
import LadingTesting

extension RecordStoreConformance.Case {
    static let observation = [
        Self("Observers receive changes merged until they read") { trial in
            let changes = trial.store.changes()
            try await trial.store([1, 2], at: 0)
            try await trial.store([3], at: 2)
            let reader = changes.makeAsyncIterator()
            let first = await reader.next()

            trial.expectEqual(first?.rows, [1, 2, 3])
            trial.expectEqual(first?.places, 0...2)
            trial.expectEqual(first?.isListChanged, true)
            trial.expectEqual(first?.hasOnlyLocalChanges, false)
            try await trial.store.setLocalChange(Data(), named: "mark", of: 2)
            let second = await reader.next()
            trial.expectEqual(second?.rows, [2])
            trial.expectEqual(second?.isListChanged, false)
            try await trial.store.setLocalChange(Data(), named: "mark", of: 2)
            try await trial.store.put([ConformanceRow(1, "new")])
            await trial.expectEqual(reader.next()?.hasOnlyLocalChanges, false)
            try await trial.store.setLocalChange(nil, named: "mark", of: 2)
            try await trial.store.remove([1])
            await trial.expectEqual(reader.next()?.hasOnlyLocalChanges, false)
        }
    ]

    static let randomized = [
        Self("A store behaves like the in-memory store under random operations") { trial in
            for seed in TestSeeds.seeds(count: 3) {
                var fuzzer = RecordStoreFuzzer(trial, seed: seed)
                try await fuzzer.run()
            }
        }
    ]
}

/// Random operations on a store and on one in memory, whose contents are compared.
private struct RecordStoreFuzzer {
    private static let words = ["red", "blue", "Green", "vélo", "茶", "奶茶", "an", "ban", "x y"]

    private let context: RecordTestContext
    private let model = MemoryRecordStore<ConformanceRow>()
    private let seed: UInt64
    private var random: SeededRandom
    private var generation = 1

    init(_ context: RecordTestContext, seed: UInt64) {
        self.context = context
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    mutating func run() async throws {
        try await context.store.removeAll()
        for step in 0..<40 {
            let page = page()
            let (actual, expected) = try await (context.store.store(page), model.store(page))
            context.expectEqual(actual, expected, "LADING_SEED=\(seed), step \(step)")
            if step % 8 == 7 { try await compare("LADING_SEED=\(seed), step \(step)") }
        }
    }

    private mutating func page() -> RecordPage<ConformanceRow> {
        if Int.random(in: 0..<5, using: &random) == 0 { generation += 1 }
        let count = Int.random(in: 0...30, using: &random)
        let rows = (0..<count).map { _ in row() }
        let start = Int.random(in: -20...600, using: &random)
        let isLate = Int.random(in: 0..<10, using: &random) == 0
        return RecordPage(
            rows, at: start, generation: isLate ? generation - 1 : generation, skipped: Int.random(in: 0...2, using: &random),
            next: .offset(start), isEnd: Int.random(in: 0..<12, using: &random) == 0)
    }

    private mutating func row() -> ConformanceRow {
        let title = (0..<3).map { _ in Self.words[Int.random(in: 0..<Self.words.count, using: &random)] }.joined(separator: " ")
        let weight = Bool.random(using: &random) ? Double(Int.random(in: 0..<9, using: &random)) : nil
        let coordinates =
            Bool.random(using: &random) ? [Double.random(in: -90...90, using: &random), .random(in: -180...180, using: &random)] : nil
        return ConformanceRow(Int.random(in: 0..<400, using: &random), title, weight: weight, coordinates: coordinates)
    }

    private mutating func compare(_ comment: String) async throws {
        try await context.expectEqual(context.store.loadedRanges(), model.loadedRanges(), comment)
        let point = GeographicPoint(latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
        var orders: [RecordQuery.Order] = [.serverOrder, .sorted("weight"), .sorted("title", descending: true), .sorted("nothing")]
        if let point { orders.append(.nearest(point)) }
        for order in orders {
            for search in ["", "an", "茶", "RED velo"] { try await compare(RecordQuery(search: search, order: order), comment) }
        }
    }

    private mutating func compare(_ query: RecordQuery, _ comment: String) async throws {
        let comment = "\(comment): \(query)"
        let all = try await model.records(query, from: .first, limit: 1_000).records
        try await context.expectEqual(context.ids(query), all.map(\.row.id), comment)
        try await context.expectEqual(context.store.count(query), all.count, comment)
        guard let chosen = all.randomElement(using: &random) else { return }
        let index = Int.random(in: 0...all.count, using: &random)
        for start in [ResultCursor.after(chosen.position), .before(chosen.position), .index(index)] {
            let (actual, expected) = try await (
                context.store.records(query, from: start, limit: 7), model.records(query, from: start, limit: 7)
            )
            context.expectEqual(actual.rows, expected.rows, "\(comment) \(start)")
        }
    }
}
