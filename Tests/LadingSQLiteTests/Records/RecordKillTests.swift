import Foundation
import LadingConformance
import LadingRecords
import LadingSQLite
import LadingTesting
import Testing
@testable import StoreFixtures

/// Tests of a program that pages and refreshes and is killed at random moments: its store opens, holds complete pages only, and loses no confirmed
/// one.
@Suite struct RecordKillTests {
    /// The number of kills: 20, or 200 with `LADING_SOAK`.
    private static let killCount = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 20

    @Test(arguments: ProgramEnd.allCases) func `Confirmed pages survive repeated kills, and allocations that fail`(end: ProgramEnd)
        async throws
    {
        let seed = TestSeeds.fromEnvironment ?? 1
        let folder = try StoreFolder()
        let script = PageGenerator(seed: seed)
        var random = SeededRandom(seed: seed)
        let model = MemoryRecordStore<ConformanceRow>()
        var next = 0
        for kill in 0..<Self.killCount {
            let allocation = end.allocation(using: &random)
            let confirmed = try await run(folder.file, seed, from: next, until: Int.random(in: 0..<15, using: &random), allocation)
            while next <= confirmed {
                _ = try await model.store(script.page(next))
                next += 1
            }

            let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
            #expect(store.quarantinedFile == nil)
            // The page that was being written may be stored completely.
            if try await !isSame(store, model) {
                _ = try await model.store(script.page(next))
                next += 1
            }
            #expect(try await isSame(store, model), "LADING_SEED=\(seed), kill \(kill), page \(next)")
            try await expectSameSearches(store, model, "LADING_SEED=\(seed), kill \(kill)")
            try store.close()
        }
        #expect(end == .failedAllocation || next > Self.killCount / 2, "LADING_SEED=\(seed)")
    }

    /// Runs the program until it has confirmed about this many pages, kills it, and returns the number of the last confirmed one.
    private func run(_ file: URL, _ seed: UInt64, from first: Int, until count: Int, _ allocation: Int?) async throws -> Int {
        let arguments = [file.path, "\(seed)", "\(first)"]
        let lines = try await KilledProgram.lines("RecordProgram", arguments, failedAllocation: allocation) { lines in
            (lines.last.flatMap { Int($0) } ?? -1) >= first + count
        }
        let confirmed = lines.last.flatMap { Int($0) } ?? first - 1
        // Enough confirmed pages show that the program did not end by itself.
        #expect(confirmed >= first + count || allocation != nil)
        return confirmed
    }

    private func isSame(_ store: SQLiteRecordStore<ConformanceRow>, _ model: MemoryRecordStore<ConformanceRow>) async throws -> Bool {
        let (ours, theirs) = try await (store.records(limit: 1_000).records, model.records(limit: 1_000).records)
        let (runs, expected) = try await (store.loadedRanges(), model.loadedRanges())
        return runs == expected && ours.map(\.row) == theirs.map(\.row) && ours.map(\.place) == theirs.map(\.place)
            && ours.map(\.generation) == theirs.map(\.generation)
    }

    /// Expects that the search indexes match the rows.
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
