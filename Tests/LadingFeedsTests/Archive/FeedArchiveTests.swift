import Foundation
import LadingOperations
import LadingTesting
import Testing

@testable import LadingFeeds

/// Tests of stored lists, and of the number of omitted rows in them.
@Suite struct FeedArchiveTests {
    /// A list as releases store it; the first ones did not store the number of omitted rows.
    private struct StoredList: Codable {
        var date: Date
        var references: [LetterFeed.Letter]
        var skipped: Int?
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
    private var archive: FeedArchive<LetterFeed> { FeedArchive(ofListIn: records, named: "letters") }

    private func storedContent() async throws -> Data {
        let contents = await records.content(of: ["letters/list"])
        return try #require(contents["letters/list"]).value
    }

    @Test func `The number of omitted rows is stored with the list and restored`() async throws {
        archive.put(FeedSnapshot(references, omittedCount: 3), at: date, replacing: [])
        await records.flush()

        let list = await archive.list()

        #expect(list?.snapshot.references.map(\.id) == ["a", "b"])
        #expect(list?.snapshot.omittedCount == 3)
        #expect(list?.date == date)
        let stored = try JSONDecoder().decode(StoredList.self, from: try await storedContent())
        #expect(stored.skipped == 3 && stored.date == date && stored.references.map(\.id) == ["a", "b"])
    }

    @Test func `The number is not stored with a list that omits no rows`() async throws {
        archive.put(FeedSnapshot(references), at: date, replacing: [])

        let content = try await storedContent()

        let members = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        #expect(members.keys.sorted() == ["date", "references"])
    }

    @Test func `A list stored without a cache has its number of omitted rows`() async {
        let archive = FeedArchive<OmittingFeed>(ofListIn: records, named: "numbers")

        archive.store(FetchedList([OmittingFeed.Number(id: 1)], omittedCount: 1), at: date)

        #expect(await archive.list()?.snapshot.omittedCount == 1)
    }

    @Test(arguments: [(1e163, Date.distantFuture), (-1e163, .distantPast)])
    func `The date of a damaged list is clamped`(seconds: Double, date: Date) async {
        records.put(named: "letters/list") { [references] in
            StoredList(date: Date(timeIntervalSinceReferenceDate: seconds), references: references)
        }

        #expect(await archive.list()?.date == date)
    }

    @Test(arguments: [(nil, 0), (0, 0), (2, 2)] as [(Int?, Int)])
    func `A stored list is readable with and without the number`(skipped: Int?, omittedCount: Int) async {
        records.put(named: "letters/list") { [references, date] in StoredList(date: date, references: references, skipped: skipped) }

        let list = await archive.list()

        #expect(list?.snapshot.references.map(\.id) == ["a", "b"])
        #expect(list?.date == date)
        #expect(list?.snapshot.omittedCount == omittedCount)
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
