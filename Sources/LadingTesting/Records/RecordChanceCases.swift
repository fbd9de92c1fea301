import Foundation
import LadingFeeds

extension RecordStoreConformance.Case {
    static let watching = [
        Self("Those who watch are told what has changed, gathered until they look") { trial in
            let changes = trial.store.changes()
            try await trial.store([1, 2], at: 0)
            try await trial.store([3], at: 2)
            let reader = changes.makeAsyncIterator()
            let first = await reader.next()

            trial.expectEqual(first?.rows, [1, 2, 3])
            trial.expectEqual(first?.places, 0...2)
            trial.expectEqual(first?.isListChanged, true)
            try await trial.store.setLocalChange(Data(), named: "mark", of: 2)
            let second = await reader.next()
            trial.expectEqual(second?.rows, [2])
            trial.expectEqual(second?.isListChanged, false)
        }
    ]

    static let chance = [
        Self("A store does what the plainest one does, whatever happens") { trial in
            for seed in Seeds.several(3) {
                var monkey = RecordMonkey(trial, seed: seed)
                try await monkey.play()
            }
        }
    ]
}

/// Does the same random things to a store and to one in memory, and compares what they say.
private struct RecordMonkey {
    private static let words = ["red", "blue", "Green", "vélo", "茶", "奶茶", "an", "ban", "x y"]

    private let trial: RecordTrial
    private let model = MemoryRecordStore<ConformanceRow>()
    private let seed: UInt64
    private var random: SeededRandom
    private var generation = 1

    init(_ trial: RecordTrial, seed: UInt64) {
        self.trial = trial
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    mutating func play() async throws {
        try await trial.store.removeAll()
        for step in 0..<40 {
            let page = page()
            let (ours, theirs) = try await (trial.store.store(page), model.store(page))
            trial.expectEqual(ours, theirs, "LADING_SEED=\(seed), step \(step)")
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
        let spot =
            Bool.random(using: &random) ? [Double.random(in: -90...90, using: &random), .random(in: -180...180, using: &random)] : nil
        return ConformanceRow(Int.random(in: 0..<400, using: &random), title, weight: weight, spot: spot)
    }

    private mutating func compare(_ comment: String) async throws {
        try await trial.expectEqual(trial.store.runs(), model.runs(), comment)
        let point = GeographicPoint(latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
        var orders: [RecordQuery.Order] = [.listed, .sorted("weight"), .sorted("title", descending: true), .sorted("nothing")]
        if let point { orders.append(.nearest(point)) }
        for order in orders {
            for search in ["", "an", "茶", "RED velo"] { try await compare(RecordQuery(search: search, order: order), comment) }
        }
    }

    private mutating func compare(_ query: RecordQuery, _ comment: String) async throws {
        let comment = "\(comment): \(query)"
        let all = try await model.records(query, from: .first, limit: 1_000).records
        try await trial.expectEqual(trial.ids(query), all.map(\.row.id), comment)
        try await trial.expectEqual(trial.store.count(query), all.count, comment)
        guard let chosen = all.randomElement(using: &random) else { return }
        let index = Int.random(in: 0...all.count, using: &random)
        for start in [RecordStart.after(chosen.position), .before(chosen.position), .index(index)] {
            let (ours, theirs) = try await (
                trial.store.records(query, from: start, limit: 7), model.records(query, from: start, limit: 7)
            )
            trial.expectEqual(ours.rows, theirs.rows, "\(comment) \(start)")
        }
    }
}
