import Foundation
import LadingFeeds
import LadingSQLite
import LadingTesting
import Testing

/// A program that pages and refreshes is killed again and again, at moments drawn by lot: its store opens, holds whole pages only, and nothing that was
/// confirmed is gone.
@Suite struct RecordKillTests {
    /// Twenty kills; with `LADING_SOAK` two hundred.
    private static let kills = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 20

    @Test(arguments: ProgramEnd.allCases) func `A store survives kills, and allocations that fail`(end: ProgramEnd) async throws {
        let seed = Seeds.given ?? 1
        let folder = try StoreFolder()
        let script = PageScript(seed: seed)
        var random = SeededRandom(seed: seed)
        let model = MemoryRecordStore<ConformanceRow>()
        var next = 0
        for kill in 0..<Self.kills {
            let allocation = end.allocation(using: &random)
            let confirmed = try await run(folder.file, seed, from: next, until: Int.random(in: 0..<15, using: &random), allocation)
            while next <= confirmed {
                _ = try await model.store(script.page(next))
                next += 1
            }

            let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
            #expect(store.setAside == nil)
            // The page that was under way may have been stored, whole.
            if try await !isSame(store, model) {
                _ = try await model.store(script.page(next))
                next += 1
            }
            #expect(try await isSame(store, model), "LADING_SEED=\(seed), kill \(kill), page \(next)")
            try await expectSameSearches(store, model, "LADING_SEED=\(seed), kill \(kill)")
            try store.close()
        }
        #expect(end == .failedAllocation || next > Self.kills / 2, "LADING_SEED=\(seed)")
    }

    /// Runs the program until it has confirmed so many pages, or one more or less, and kills it; the number of the last page that it has confirmed.
    private func run(_ file: URL, _ seed: UInt64, from first: Int, until count: Int, _ allocation: Int?) async throws -> Int {
        let arguments = [file.path, "\(seed)", "\(first)"]
        let lines = try await KilledProgram.lines("RecordProgram", arguments, failedAllocation: allocation) { lines in
            (lines.last.flatMap { Int($0) } ?? -1) >= first + count
        }
        let confirmed = lines.last.flatMap { Int($0) } ?? first - 1
        // Its output ends with it. That it did not end by itself shows in what it has confirmed.
        #expect(confirmed >= first + count || allocation != nil)
        return confirmed
    }

    private func isSame(_ store: SQLiteRecordStore<ConformanceRow>, _ model: MemoryRecordStore<ConformanceRow>) async throws -> Bool {
        let (ours, theirs) = try await (store.records(limit: 1_000).records, model.records(limit: 1_000).records)
        let (runs, wanted) = try await (store.runs(), model.runs())
        return runs == wanted && ours.map(\.row) == theirs.map(\.row) && ours.map(\.place) == theirs.map(\.place)
            && ours.map(\.generation) == theirs.map(\.generation)
    }

    /// What is derived from rows was stored with them.
    private func expectSameSearches(
        _ store: SQLiteRecordStore<ConformanceRow>, _ model: MemoryRecordStore<ConformanceRow>, _ comment: Comment
    ) async throws {
        var queries = [
            RecordQuery(search: "1"), RecordQuery(order: .sorted("weight")), RecordQuery(search: "page 3", order: .sorted("title")),
        ]
        if let point = GeographicPoint(latitude: 10, longitude: 20) { queries.append(RecordQuery(order: .nearest(point))) }
        for query in queries {
            let (ours, theirs) = try await (
                store.records(query, from: .first, limit: 1_000).rows, model.records(query, from: .first, limit: 1_000).rows
            )
            #expect(ours == theirs, comment)
        }
        #expect(try await store.count(RecordQuery()) == model.count(RecordQuery()), comment)
    }
}
