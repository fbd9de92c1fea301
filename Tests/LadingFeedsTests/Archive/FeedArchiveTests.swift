import Foundation
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of the number of skipped rows that is stored with a list.
@Suite struct FeedArchiveTests {
    private final class RestoredCounts: Sendable {
        private let state = Mutex<[Int]>([])

        var counts: [Int] { state.withLock { $0 } }

        func append(_ count: Int) { state.withLock { $0.append(count) } }
    }

    /// A list as earlier releases stored it, without the number of skipped rows.
    private struct ListWithoutSkippedCount: Encodable {
        var date: Date
        var references: [LetterFeed.Letter]
    }

    /// A feed of rows that are identified by UUIDs.
    private struct ParcelFeed: Feed {
        struct Reference: Codable, Identifiable, Sendable { let id: UUID }

        func list() -> BackendOperation<[Reference]> { BackendOperation("list", result: .success([])) }
        func load(_ reference: Reference) -> BackendOperation<String> { BackendOperation("row", result: .success("")) }
    }

    private let records = RecordArchive(
        store: MemoryRecordStore<ArchivedValue>(), byteLimit: 1 << 20, clock: ManualClock(), offload: { $1() })
    private let references = ["a", "b"].map { LetterFeed.Letter(id: $0) }
    private let date = Date(timeIntervalSince1970: 7_200)
    private let restored = RestoredCounts()

    private func archive(skipping count: Int = 0) -> FeedArchive<LetterFeed> {
        FeedArchive(ofListIn: records, named: "letters", skipped: { count }, onRestore: { [restored] in restored.append($0) })
    }

    @Test func `The number of skipped rows is restored with the list`() async {
        archive(skipping: 3).put(FeedSnapshot(references), at: date, replacing: [])
        await records.flush()

        let list = await archive().list()

        #expect(list?.snapshot.references.map(\.id) == ["a", "b"])
        #expect(restored.counts == [3])
    }

    @Test func `A list stored without a cache has its own number of skipped rows`() async {
        let archive = archive(skipping: 3)

        archive.store(references, skipped: 1, at: date)
        _ = await archive.list()

        #expect(restored.counts == [1])
    }

    @Test(arguments: [(1e163, Date.distantFuture), (-1e163, .distantPast)])
    func `The date of a damaged list is clamped`(seconds: Double, date: Date) async {
        records.put(named: "letters/list") { [references] in
            ListWithoutSkippedCount(date: Date(timeIntervalSinceReferenceDate: seconds), references: references)
        }

        #expect(await archive().list()?.date == date)
    }

    @Test func `A list stored without the number of skipped rows is readable`() async {
        records.put(named: "letters/list") { [references, date] in ListWithoutSkippedCount(date: date, references: references) }

        let list = await archive().list()

        #expect(list?.snapshot.references.map(\.id) == ["a", "b"])
        #expect(list?.date == date)
        #expect(restored.counts == [0])
    }

    @Test func `Rows identified by UUIDs are stored, and removed with the list that they have left`() async {
        let archive = FeedArchive<ParcelFeed>(in: records, named: "parcels")
        let lists = [[UUID(), UUID()], [UUID()]].map { FeedSnapshot($0.map { ParcelFeed.Reference(id: $0) }) }
        let ids = lists.flatMap { $0.references.map(\.id) }
        for id in ids { archive.put("row \(id)", of: id) }
        archive.put(lists[1], at: date, replacing: [lists[0]])
        await records.flush()

        var found: [UUID: String] = [:]
        await archive.readRows { rows in
            for row in rows { found[row.id] = row.row }
            return true
        }

        #expect(found == [ids[2]: "row \(ids[2])"])
        #expect(await archive.list()?.snapshot.references.map(\.id) == [ids[2]])
    }
}
