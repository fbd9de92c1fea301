import Foundation
import LadingCaching
import LadingConformance
import LadingSQLite
import LadingTesting
import Testing
@testable import StoreFixtures

/// Tests of a program that writes bodies and is killed at random moments: its store opens and holds complete bodies only, within the byte limit.
@Suite struct BlobKillTests {
    /// The number of kills: 20, or 200 with `LADING_SOAK`.
    private static let killCount = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 20

    @Test(arguments: ProgramEnd.allCases) func `Confirmed bodies survive repeated kills, and allocations that fail`(end: ProgramEnd)
        async throws
    {
        let seed = TestSeeds.fromEnvironment ?? 1
        let folder = try StoreFolder("blobs")
        var random = SeededRandom(seed: seed)
        /// The last confirmed write of each key.
        var confirmed: [BlobKey: Int] = [:]
        var next = 0
        for kill in 0..<Self.killCount {
            let allocation = end.allocation(using: &random)
            let last = try await run(folder.url, seed, from: next, until: Int.random(in: -1..<25, using: &random), allocation)
            while next <= last {
                confirmed[BlobGenerator.key(of: next, seed: seed)] = next
                next += 1
            }

            let store = try SQLiteBlobStore(in: folder.url, byteLimit: BlobGenerator.byteLimit)
            #expect(store.quarantinedFile == nil)
            try await check(store, confirmed, last: last, seed: seed, in: folder.url, "LADING_SEED=\(seed), kill \(kill)")
            try store.close()
        }
        #expect(end == .failedAllocation || next > Self.killCount, "LADING_SEED=\(seed)")
    }

    /// Checks that stored bodies are complete and no older than the confirmed ones, and that the last confirmed one is stored.
    private func check(
        _ store: SQLiteBlobStore, _ confirmed: [BlobKey: Int], last: Int, seed: UInt64, in folder: URL, _ comment: Comment
    ) async throws {
        var (fileCount, bytes, numbers): (Int, Int, Set<Int>) = (0, 0, [])
        for group in Set(confirmed.keys.map(\.group)) {
            for blob in try await store.blobs(in: group) {
                let reader = try #require(try await store.open(blob), comment)
                let number = try #require(BlobGenerator.number(of: try await reader.read(from: 0, count: .max)), comment)
                numbers.insert(number)
                #expect(blob.key == BlobGenerator.key(of: number, seed: seed), comment)
                #expect(number >= confirmed[blob.key] ?? 0 && number <= last + 1, comment)
                #expect(BlobGenerator.metadata(of: number).contains(blob.metadata), comment)
                if number <= last { #expect(BlobGenerator.metadata(of: number).last == blob.metadata, comment) }
                if blob.length > SQLiteBlobStore.inlineLimit { fileCount += 1 }
                bytes += blob.length + blob.metadata.count + blob.key.group.utf8.count + blob.key.name.utf8.count
            }
        }
        #expect(last < 0 || numbers.contains(last) || numbers.contains(last + 1), comment)
        #expect(bytes <= BlobGenerator.byteLimit, comment)
        let usage = try await store.usage()
        #expect(usage.bytes >= bytes && usage.bytes <= BlobGenerator.byteLimit, comment)
        // One may be in a group without confirmed writes.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "bodies").path)
        #expect(files.count == fileCount || files.count == fileCount + 1 && usage.count == numbers.count + 1, comment)
    }

    /// Runs the program until it has confirmed this many writes or a few more, kills it, and returns the number of the last confirmed one.
    private func run(_ folder: URL, _ seed: UInt64, from first: Int, until count: Int, _ allocation: Int?) async throws -> Int {
        let arguments = [folder.path, "\(seed)", "\(first)"]
        let lines = try await KilledProgram.lines("BlobProgram", arguments, failedAllocation: allocation) { lines in
            (lines.last.flatMap { Int($0) } ?? .min) >= first + count
        }
        let confirmed = lines.last.flatMap { Int($0) } ?? first - 1
        #expect(confirmed >= first + count || allocation != nil)
        return confirmed
    }
}
