import Foundation
import GRDB
import GRDBSQLite
import LadingConformance
import LadingRecords
import LadingTesting
import Testing
@testable import LadingSQLite

/// Reads of the rows around a point.
@Suite struct NearestScanTests {
    private typealias Reader = RecordReader<ConformanceRow>

    private let point: GeographicPoint

    init() throws {
        point = try #require(GeographicPoint(latitude: 0, longitude: 0))
    }

    /// Returns rows east of the point, nearest first.
    private func rows(_ count: Int, title: (Int) -> String = { _ in "" }) -> [ConformanceRow] {
        (0..<count).map { ConformanceRow($0, title($0), coordinates: [0, Double($0) / 200]) }
    }

    /// Creates a database in memory with rows at consecutive places.
    private func database(of rows: [ConformanceRow]) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase(NearestScan.register)
        let queue = try DatabaseQueue(configuration: configuration)
        try RecordTables.migrator.migrate(queue)
        let page = RecordPage(rows, at: 0, generation: 1)
        let entries = try rows.map(EncodedRecord.init)
        try queue.write { database in
            var writer = RecordWriter<ConformanceRow>(database)
            _ = try writer.store(page, entries, at: .distantPast)
        }
        return queue
    }

    /// Returns the number of instructions that SQLite executes for a read.
    private func instructionCount(in queue: DatabaseQueue, of read: (Database) throws -> Void) throws -> Int {
        try queue.read { database in
            var count = 0
            try withUnsafeMutablePointer(to: &count) { counter in
                let increment: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { counter in
                    counter?.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                }
                sqlite3_progress_handler(database.sqliteConnection, 1, increment, counter)
                defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
                try read(database)
            }
            return count
        }
    }

    private func ids(
        _ queue: DatabaseQueue, _ query: RecordQuery, from start: ResultCursor = .first, limit: Int = 3
    ) throws -> [Int] {
        try queue.read { try Reader(database: $0).records(query, from: start, limit: limit).rows.map(\.id) }
    }

    @Test func `Distant rows with a rare word are found and counted without a scan of the nearer rows`() throws {
        let queue = try database(of: rows(5_000) { $0 >= 4_997 ? "lamp" : "shoe" })
        let query = RecordQuery(search: "lamp", order: .nearest(point))

        var (found, count): ([Int], Int) = ([], 0)
        let instructions = try instructionCount(in: queue) { database in
            found = try Reader(database: database).records(query, from: .first, limit: 20).rows.map(\.id)
            count = try Reader(database: database).count(query)
        }

        #expect(found == [4_997, 4_998, 4_999] && count == 3)
        #expect(instructions < 1_000)
    }

    @Test func `Rows before a position are found without a scan of all nearer rows`() throws {
        let queue = try database(of: rows(5_000))
        let query = RecordQuery(order: .nearest(point))
        let last = try #require(try queue.read { try Reader(database: $0).records(query, from: .index(4_000), limit: 1).records.first })

        var found: [Int] = []
        let instructions = try instructionCount(in: queue) { database in
            found = try Reader(database: database).records(query, from: .before(last.position), limit: 20).rows.map(\.id)
        }

        #expect(found == Array(3_980..<4_000))
        #expect(instructions < 8_000)
    }

    @Test func `The rows before an index are not read`() throws {
        let queue = try database(of: rows(5_000))
        try queue.write { try $0.execute(sql: "DELETE FROM records WHERE place < 1000") }

        #expect(try ids(queue, RecordQuery(order: .nearest(point)), from: .index(4_000)) == [4_000, 4_001, 4_002])
    }

    @Test(arguments: TestSeeds.seeds(count: 5))
    func `Matches from an index and before another equal those of a whole scan`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Half of the rows are nearer to each other than the error of the tree, and some at the same place.
        let near = (0..<300).map { _ in [Double.random(in: 0...2e-5, using: &random), .random(in: 0...2e-5, using: &random)] }
        let coordinates = (0..<1_500).map { row in
            row % 2 == 0 ? near[row % near.count] : [Double.random(in: -1...1, using: &random), .random(in: -1...1, using: &random)]
        }
        let queue = try database(of: coordinates.enumerated().map { ConformanceRow($0, coordinates: $1) })

        try queue.read { database in
            let scan = NearestScan(database: database, point: point)
            let all = try scan.matches(limit: .max)
            #expect(all.count == 1_500 && all == all.sorted())
            for index in [0, 1, 255, 256, 257, 600, 740, 760, 1_010, 1_400, 1_495, 1_500, 1_600, .max / 2] {
                let expected = all.dropFirst(index).prefix(20)
                #expect(try scan.matches(from: index, limit: 20) == Array(expected), "LADING_SEED=\(seed): from \(index)")
            }
            for index in [0, 1, 15, 300, 740, 760, 1_499] {
                let expected = all[..<index].suffix(20)
                #expect(try scan.matches(before: all[index], limit: 20) == Array(expected), "LADING_SEED=\(seed): before \(index)")
            }
        }
    }

    @Test func `Many matches near the point are found by a scan`() throws {
        let count = NearestScan.lookupLimit + 100
        let queue = try database(of: rows(count))
        let query = RecordQuery(search: "number", order: .nearest(point))
        let middle = try #require(try queue.read { try Reader(database: $0).records(query, from: .index(1_000), limit: 1).records.first })

        #expect(try ids(queue, query) == [0, 1, 2])
        #expect(middle.row.id == 1_000)
        #expect(try ids(queue, query, from: .after(middle.position)) == [1_001, 1_002, 1_003])
        #expect(try ids(queue, query, from: .before(middle.position)) == [997, 998, 999])
        #expect(try queue.read { try Reader(database: $0).count(query) } == count)
    }

    @Test func `Matches are looked up if a scan would read more rows`() throws {
        let queue = try database(of: rows(20))
        let isFaster = { (matchCount: Int, limit: Int) in
            try queue.read { try NearestScan.isLookupFaster(for: matchCount, limit: limit, in: $0) }
        }

        // A scan of 20 rows reads at most all of them.
        #expect(try isFaster(NearestScan.lookupLimit, 0))
        #expect(try !isFaster(NearestScan.lookupLimit + 1, 280))
        #expect(try isFaster(2_100, 220_500))
        #expect(try !isFaster(2_100, 209_999))
    }

    @Test(arguments: ["", "lamp"]) func `Rows without a location are not counted`(search: String) throws {
        let located = rows(10) { _ in "lamp" }
        let queue = try database(of: located + (10..<15).map { ConformanceRow($0, "lamp") })

        let count = try queue.read { try Reader(database: $0).count(RecordQuery(search: search, order: .nearest(point))) }

        #expect(count == 10)
    }
}
