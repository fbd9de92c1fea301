import Foundation
import LadingCaching
import LadingSQLite
import LadingTesting
import Testing

/// A program that writes bodies is killed again and again, at moments drawn by lot: its store opens, and holds whole bodies only, within the bound.
@Suite struct BlobKillTests {
    /// Twenty kills; with `LADING_SOAK` two hundred.
    private static let kills = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 20

    @Test(arguments: ProgramEnd.allCases) func `A store survives kills, and allocations that fail`(end: ProgramEnd) async throws {
        let seed = Seeds.given ?? 1
        let folder = try StoreFolder("blobs")
        var random = SeededRandom(seed: seed)
        /// The last write of each key that is confirmed.
        var confirmed: [BlobKey: Int] = [:]
        var next = 0
        for kill in 0..<Self.kills {
            let allocation = end.allocation(using: &random)
            let last = try await run(folder.url, seed, from: next, until: Int.random(in: -1..<25, using: &random), allocation)
            while next <= last {
                confirmed[BlobScript.key(of: next, seed: seed)] = next
                next += 1
            }

            let store = try SQLiteBlobStore(in: folder.url, byteLimit: BlobScript.byteLimit)
            #expect(store.setAside == nil)
            try await check(store, confirmed, last: last, seed: seed, in: folder.url, "LADING_SEED=\(seed), kill \(kill)")
            try store.close()
        }
        #expect(end == .failedAllocation || next > Self.kills, "LADING_SEED=\(seed)")
    }

    /// What is there is whole, and no older than what was confirmed; what was confirmed last is there.
    private func check(
        _ store: SQLiteBlobStore, _ confirmed: [BlobKey: Int], last: Int, seed: UInt64, in folder: URL, _ comment: Comment
    ) async throws {
        var (fileCount, bytes, numbers): (Int, Int, Set<Int>) = (0, 0, [])
        for group in Set(confirmed.keys.map(\.group)) {
            for blob in try await store.blobs(in: group) {
                let reader = try #require(try await store.open(blob), comment)
                let number = try #require(BlobScript.number(of: try await reader.read(from: 0, count: .max)), comment)
                numbers.insert(number)
                #expect(blob.key == BlobScript.key(of: number, seed: seed), comment)
                #expect(number >= confirmed[blob.key] ?? 0 && number <= last + 1, comment)
                #expect(BlobScript.notes(of: number).contains(blob.note), comment)
                if number <= last { #expect(BlobScript.notes(of: number).last == blob.note, comment) }
                if blob.length > SQLiteBlobStore.inlineLimit { fileCount += 1 }
                bytes += blob.length + blob.note.count + blob.key.group.utf8.count + blob.key.name.utf8.count
            }
        }
        #expect(last < 0 || numbers.contains(last) || numbers.contains(last + 1), comment)
        #expect(bytes <= BlobScript.byteLimit, comment)
        let usage = try await store.usage()
        #expect(usage.bytes >= bytes && usage.bytes <= BlobScript.byteLimit, comment)
        // One may be of a group of which nothing was confirmed.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "bodies").path)
        #expect(files.count == fileCount || files.count == fileCount + 1 && usage.count == numbers.count + 1, comment)
    }

    /// Runs the program until it has confirmed so many writes, or a few more, and kills it; the number of the last one that it has confirmed.
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
