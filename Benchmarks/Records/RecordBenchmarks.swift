// Measures reading, searching, sorting and writing a store of a million rows on disk. Prints one figure per line; `make bench` runs it.
//
//     RecordBenchmarks [NAME...]
//
// Names: growth, reading, searching, nearest, memory, observers, object. ROWS is the number of rows in the large store (default 1,000,000).

import Foundation
import LadingRecords
import LadingSQLite
import LadingTesting
import Synchronization

@main
enum RecordBenchmarks {
    typealias Store = SQLiteRecordStore<ParcelRow>

    static let rowCount = Int(ProcessInfo.processInfo.environment["ROWS"] ?? "1000000") ?? 1_000_000
    static let pageLength = 20
    /// The number of concurrent observers of a store.
    static let observerCount = 1_000

    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        let folder = FileManager.default.temporaryDirectory.appending(path: "record-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = folder.appending(path: "large.sqlite")
        logProgress("filling a store with \(rowCount) rows.")
        try await fill(large, rowCount)

        let all: [(String, @Sendable (URL, URL) async throws -> Void)] = [
            ("reading", reading), ("searching", searching), ("nearest", nearest), ("memory", memory), ("observers", observers),
            ("growth", growth), ("object", object),
        ]
        for (name, measure) in all where names.isEmpty || names.contains(name) { try await measure(large, folder) }
    }

    @concurrent
    static func fill(_ file: URL, _ count: Int) async throws {
        let store = try Store(at: file)
        // Large pages, because filling a million rows in pages of twenty would take longer than all measurements.
        let stride = 20_000
        for start in Swift.stride(from: 0, to: count, by: stride) {
            _ = try await store.store(page(at: start, min(stride, count - start)))
        }
        try store.close()
    }

    static func page(at start: Int, _ count: Int = pageLength) -> RecordPage<ParcelRow> {
        RecordPage((start..<start + count).map { ParcelRow($0) }, at: start, generation: 1, next: .offset(start + count))
    }

    // MARK: Reading

    @concurrent
    static func reading(large: URL, folder: URL) async throws {
        var opening: [Double] = []
        for _ in 0..<21 {
            let start = ContinuousClock.now
            let store = try Store(at: large)
            guard try await store.records(limit: pageLength).records.count == pageLength else { return fail() }
            opening.append(start.duration(to: .now).seconds)
            try store.close()
        }
        printMetric("deliveries-first-page", median(opening) * 1_000, "ms")

        let store = try Store(at: large)
        let depth = rowCount / 10 * 9
        let deep = try await times(201) { round in
            let position = RecordPosition(place: depth + 40 * round)
            guard try await store.records(RecordQuery(), from: .after(position), limit: pageLength).records.count == pageLength else {
                return fail()
            }
        }
        printMetric("deliveries-deep-page", median(deep) * 1_000, "ms")
        var random = SeededRandom(seed: 7)
        let indices = (0..<201).map { _ in Int.random(in: 0..<rowCount - pageLength, using: &random) }
        let jumps = try await times(201) { round in
            guard try await store.records(RecordQuery(), from: .index(indices[round]), limit: pageLength).rows.first?.id == indices[round]
            else { return fail() }
        }
        printMetric("deliveries-jump", median(jumps) * 1_000, "ms")
        try store.close()
    }

    @concurrent
    static func searching(large: URL, folder: URL) async throws {
        let store = try Store(at: large)
        let searches = [
            ("rare", "xylophone", true), ("common", "customer", true), ("two-letters", "qj", true), ("cjk", "奶茶", true),
            ("none", "saxophone", false), ("two-words", "xylophone eglise", nil), ("two-common-words", "flowers wine", false),
        ]
        for (name, text, isFound) in searches {
            let query = RecordQuery(search: text)
            let taken = try await times(21) { _ in
                let found = try await store.records(query, from: .first, limit: pageLength).records
                if let isFound, found.isEmpty == isFound { fail() }
            }
            printMetric("deliveries-search-\(name)", median(taken) * 1_000, "ms")
        }
        try store.close()
    }

    @concurrent
    static func nearest(large: URL, folder: URL) async throws {
        let store = try Store(at: large)
        var random = SeededRandom(seed: 11)
        let points = (0..<101).compactMap { _ in
            GeographicPoint(latitude: .random(in: 22...22.6, using: &random), longitude: .random(in: 113.8...114.4, using: &random))
        }
        let taken = try await times(points.count) { round in
            let query = RecordQuery(order: .nearest(points[round]))
            guard try await store.records(query, from: .first, limit: pageLength).records.count == pageLength else { return fail() }
        }
        printMetric("deliveries-nearest", median(taken) * 1_000, "ms")
        let rare = try await times(21) { round in
            let query = RecordQuery(search: "xylophone", order: .nearest(points[round]))
            let found = try await store.records(query, from: .first, limit: pageLength).records
            guard !found.isEmpty, try await store.count(query) >= found.count else { return fail() }
        }
        printMetric("deliveries-nearest-rare", median(rare) * 1_000, "ms")
        let index = min(100_000, rowCount / 2)
        let jumps = try await times(21) { round in
            let query = RecordQuery(order: .nearest(points[round]))
            guard try await store.records(query, from: .index(index), limit: pageLength).records.count == pageLength else { return fail() }
        }
        printMetric("deliveries-nearest-jump", median(jumps) * 1_000, "ms")
        try store.close()
    }

    // MARK: Memory

    @concurrent
    static func memory(large: URL, folder: URL) async throws {
        let store = try Store(at: large)
        var pager = Pager<ParcelRow>(paging: OffsetPaging(pageLength: pageLength))
        var first = 0
        try await perform(.opened(store.loadedRanges()), &pager, store)
        for row in stride(from: 0, to: min(100_000, rowCount - 100), by: pageLength) {
            try await perform(.visibleRange(row..<row + pageLength), &pager, store)
            guard pager.slots(in: row..<row + pageLength).count == pageLength else { return fail() }
            if row == 1_000 { first = residentKibibytes() }
        }
        printMetric("deliveries-memory", Double(residentKibibytes() - first) / 1_024, "MiB")
        try store.close()
    }

    /// Sends an event to a pager and performs its reads. Pages are not fetched.
    static func perform(_ event: Pager<ParcelRow>.Event, _ pager: inout Pager<ParcelRow>, _ store: Store) async throws {
        var events = [event]
        while let event = events.popLast() {
            var effects: [Pager<ParcelRow>.Effect] = []
            pager.handle(event, effects: &effects)
            for case .read(let number, let places) in effects { try await events.append(.read(number, store.records(in: places).records)) }
        }
    }

    static func residentKibibytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            ?? 0
    }

    // MARK: Writing

    @concurrent
    static func growth(large: URL, folder: URL) async throws {
        let big = try Store(at: large)
        var (few, many): ([Double], [Double]) = ([], [])
        var next = rowCount
        for round in 0..<8 {
            let file = folder.appending(path: "small-\(round).sqlite")
            try await fill(file, 1_000)
            let small = try Store(at: file)
            for page in 0..<25 {
                few += try await times(1) { _ in _ = try await small.store(self.page(at: 1_000 + page * pageLength)) }
                many += try await times(1) { [next] _ in _ = try await big.store(self.page(at: next)) }
                next += pageLength
            }
            try small.close()
        }
        try big.close()
        logProgress("a page, ms: \(median(few) * 1_000) at 1,000 rows, \(median(many) * 1_000) at \(rowCount)")
        printMetric("deliveries-append-growth", median(many) / median(few), "ratio")
    }

    /// Measures the additional time to store a page until all observers are notified.
    @concurrent
    static func observers(large: URL, folder: URL) async throws {
        let (watchedFile, aloneFile) = (folder.appending(path: "watched.sqlite"), folder.appending(path: "alone.sqlite"))
        try await fill(watchedFile, 1_000)
        try await fill(aloneFile, 1_000)
        let (watched, alone) = (try Store(at: watchedFile), try Store(at: aloneFile))
        let tally = Counter()
        let (notifications, notifier) = AsyncStream.makeStream(of: Void.self)
        let watchers = (0..<observerCount).map { _ in
            let changes = watched.changes()
            return Task { for await _ in changes where tally.next().isMultiple(of: observerCount) { notifier.yield() } }
        }
        var (with, without): ([Double], [Double]) = ([], [])
        for round in 0..<101 {
            let page = page(at: 1_000 + round * pageLength)
            with += try await times(1) { _ in
                _ = try await watched.store(page)
                for await _ in notifications { break }
            }
            without += try await times(1) { _ in _ = try await alone.store(page) }
        }
        for watcher in watchers { watcher.cancel() }
        printMetric("deliveries-observers", (median(with) - median(without)) * 1_000, "ms")
        try watched.close()
        try alone.close()
    }

    /// Measures the baseline: all rows in one object, which is encoded and written again for each page.
    @concurrent
    static func object(large: URL, folder: URL) async throws {
        let file = folder.appending(path: "ours.sqlite")
        try await fill(file, 10_000)
        let store = try Store(at: file)
        var rows = (0..<10_000).map { ParcelRow($0) }
        let classic = folder.appending(path: "rows.json")
        var (theirs, ours): ([Double], [Double]) = ([], [])
        for round in 0..<9 {
            let start = 10_000 + round * pageLength
            rows += (start..<start + pageLength).map { ParcelRow($0) }
            theirs += try await times(1) { [rows] _ in try JSONEncoder().encode(rows).write(to: classic, options: .atomic) }
            ours += try await times(1) { _ in _ = try await store.store(self.page(at: start)) }
        }
        printMetric("deliveries-vs-one-object", median(theirs) / median(ours), "ratio")
        try store.close()
    }
}

// MARK: - Measuring

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// Returns the time of each round, in seconds.
func times(_ count: Int, _ body: (Int) async throws -> Void) async rethrows -> [Double] {
    var taken: [Double] = []
    for round in 0..<count {
        let start = ContinuousClock.now
        try await body(round)
        taken.append(start.duration(to: .now).seconds)
    }
    return taken
}

func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

func printMetric(_ name: String, _ value: Double, _ unit: String) {
    print("figure \(name) \(String(format: "%.3g", value)) \(unit)")
}

func logProgress(_ text: String) {
    FileHandle.standardError.write(Data("Lading: \(text)\n".utf8))
}

/// Ends the program after an unexpected result, because the figures would be meaningless.
func fail(line: UInt = #line) {
    fatalError("the store did not answer as it should", line: line)
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
