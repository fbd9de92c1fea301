import LadingFeeds
import LadingTesting
import Testing

/// A store that changes, readings that end in any order or fail, and somebody who scrolls, jumps, searches and sorts.
@Suite struct ResultChanceTests {
    private struct Broken: Error {}

    private static let queries = [
        RecordQuery(), RecordQuery(search: "7"), RecordQuery(search: "nowhere"), RecordQuery(order: .sorted("weight")),
        RecordQuery(search: "1", order: .sorted("weight", descending: true)),
    ]

    @Test(arguments: Seeds.several(30)) func `In the end what is shown is what the store finds`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var desk = try await ResultDesk(rows: rows(using: &random))
        desk.tell(.open)
        for _ in 0..<150 {
            try await move(&desk, &random)
            #expect(desk.window.records.count <= 100, "LADING_SEED=\(seed)")
        }

        let start = Int.random(in: 0..<150, using: &random)
        try await desk.settle(.retry)
        try await desk.settle(.show(start..<start + 15))

        let query = desk.window.query
        let found = try await desk.store.records(query, from: .first, limit: 1_000).rows.map(\.id)
        #expect(desk.window.count == found.count, "LADING_SEED=\(seed)")
        #expect(desk.shown(start..<start + 15).compactMap(\.self) == Array(found.dropFirst(start).prefix(15)), "LADING_SEED=\(seed)")
        #expect(desk.window.failure == nil, "LADING_SEED=\(seed)")
    }

    private func rows(using random: inout SeededRandom) -> [ConformanceRow] {
        (0..<Int.random(in: 0..<200, using: &random)).map { ConformanceRow($0, weight: Double.random(in: 0..<9, using: &random)) }
    }

    private func move(_ desk: inout ResultDesk, _ random: inout SeededRandom) async throws {
        let start = Int.random(in: 0..<220, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: desk.tell(.show(start..<start + 15))
        case 4: desk.tell(.ask(Self.queries.randomElement(using: &random)!))
        case 5:
            try await desk.put(rows(using: &random))
            desk.tell(.changed)
        case 12..<14:
            let count = try await desk.store.count(RecordQuery())
            try await desk.put((0..<min(200, count + 15)).map { ConformanceRow($0, weight: Double($0 % 9)) })
            desk.tell(.changed)
        case 6: desk.tell(.retry)
        case 7: if !desk.pending.isEmpty { desk.failOne(with: Broken()) }
        case 8..<10: if let index = desk.pending.indices.randomElement(using: &random) { try await desk.askOne(at: index) }
        default:
            if !desk.pending.isEmpty { try await desk.performOne(at: Int.random(in: 0..<desk.pending.count, using: &random)) }
        }
    }
}
