import Foundation
import LadingCaching
import LadingSQLite
import TemporaryFolders

/// The costs of bodies on disk compared with plain files.
enum BlobBenchmarks {
    private static let pictureCount = 400
    private static let pictureSize = 60_000
    private static let rounds = min(5, CacheBenchmarks.rounds)

    /// Measures reads, writes, and writes to a full store, with pictures of 60 KB.
    static func pictures() async throws {
        var (reads, writes, evictions): ([Pair], [Pair], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            let (plain, folder) = (try PlainFiles(), try TemporaryFolder())
            let store = try SQLiteBlobStore(in: folder.url, byteLimit: 2 * pictureCount * pictureSize)
            let (body, names) = (bytes(pictureSize), Self.names(pictureCount))
            let write = Pair(
                plain: try await seconds { for index in names.indices { try plain.write(index, body) } },
                ours: try await seconds { for name in names { try await Self.write(name, body, to: store) } })
            let read = Pair(
                plain: try await seconds { for index in names.indices { check(try plain.read(index)) } },
                ours: try await seconds { for name in names { check(try await Self.read(name, from: store)) } })
            try store.close()
            writes.append(write)
            reads.append(read)
            evictions.append(try await fullStoreWrite(names, body) / write.ours)
        }
        report("blob-read", reads)
        report("blob-write", writes)
        printMetric("blob-eviction-cost", median(evictions), "ratio")
    }

    /// Returns the time in seconds of writes that each evict another picture.
    private static func fullStoreWrite(_ names: [String], _ body: [UInt8]) async throws -> Double {
        let folder = try TemporaryFolder()
        let store = try SQLiteBlobStore(in: folder.url, byteLimit: names.count * body.count / 4)
        for name in names.prefix(names.count / 4) { try await write(name, body, to: store) }
        let time = try await seconds { for name in names { try await write(name + "?", body, to: store) } }
        try store.close()
        return time
    }

    /// Compares bodies in the database with bodies in files of their own, by length: the ratios of write and read times.
    static func inlineLimits() async throws {
        for size in [1_000, 4_000, 8_000, 16_000, 24_000, 32_000, 48_000, 64_000] {
            var (reads, writes): ([Pair], [Pair]) = ([], [])
            for _ in 0..<rounds {
                let (inFiles, inDatabase) = (
                    try await Self.measure(size: size, inlineLimit: 0), try await Self.measure(size: size, inlineLimit: size)
                )
                writes.append(Pair(plain: inFiles.write, ours: inDatabase.write))
                reads.append(Pair(plain: inFiles.read, ours: inDatabase.read))
            }
            printMetric("blob-border-write-\(size)", median(writes.map(\.ratio)), "ratio")
            printMetric("blob-border-read-\(size)", median(reads.map(\.ratio)), "ratio")
        }
    }

    private static func measure(size: Int, inlineLimit: Int) async throws -> (write: Double, read: Double) {
        let folder = try TemporaryFolder()
        let store = try SQLiteBlobStore(in: folder.url, byteLimit: 1 << 30, inlineLimit: inlineLimit)
        let (body, names) = (bytes(size), names(200))
        let write = try await seconds { for name in names { try await Self.write(name, body, to: store) } }
        let read = try await seconds { for name in names { check(try await Self.read(name, from: store)) } }
        try store.close()
        return (write, read)
    }

    // MARK: Operations

    private static func write(_ name: String, _ body: [UInt8], to store: SQLiteBlobStore) async throws {
        let writer = try await store.write(BlobKey(group: name), metadata: [])
        try await writer.append(body)
        _ = try await writer.finish(metadata: nil)
    }

    private static func read(_ name: String, from store: SQLiteBlobStore) async throws -> Int {
        guard let blob = try await store.blobs(in: name).first, let reader = try await store.open(blob) else { return 0 }
        return try await reader.read(from: 0, count: blob.length).count
    }

    private static func names(_ count: Int) -> [String] { (0..<count).map { "https://example.org/photos/\($0).jpg" } }

    private static func bytes(_ count: Int) -> [UInt8] {
        var numbers = XorshiftGenerator()
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 32) }
    }

    private static func check(_ count: Int) { precondition(count > 0, "what was written is there") }

    // MARK: Figures

    /// The times of both ways in one round, in seconds.
    private struct Pair {
        var plain: Double
        var ours: Double
        var ratio: Double { ours / plain }
    }

    private static func report(_ name: String, _ pairs: [Pair]) {
        let megabytes = Double(pictureCount * pictureSize) / 1_000_000
        printMetric(name, megabytes / median(pairs.map(\.ours)), "MB/s")
        printMetric("\(name)-plain-files", megabytes / median(pairs.map(\.plain)), "MB/s")
    }

    private static func seconds(_ work: () async throws -> Void) async throws -> Double {
        try await ContinuousClock().measure(work) / .seconds(1)
    }
}

/// The baseline: files that are written atomically and read whole, without index and checksum.
private struct PlainFiles {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func write(_ number: Int, _ body: [UInt8]) throws {
        try Data(body).write(to: folder.url.appending(path: "\(number)"), options: .atomic)
    }

    func read(_ number: Int) throws -> Int { try Data(contentsOf: folder.url.appending(path: "\(number)")).count }
}
