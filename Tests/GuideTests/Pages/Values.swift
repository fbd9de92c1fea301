import Foundation
import LadingFeeds
import LadingFirebase
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecords
import LadingSQLite
import LadingTransfers

// Previews and tests of a client create the values that its views and reducers receive.

nonisolated struct Failure: Error {}

nonisolated struct Parcel: PersistableRow, Codable {
    var id: UUID

    var indexedFields: IndexedFields { IndexedFields() }
}

nonisolated struct ParcelFeed: Feed {
    func list() -> BackendOperation<[Parcel]> { BackendOperation("list", result: .success([])) }
    func load(_ reference: Parcel) -> BackendOperation<String> { BackendOperation("row", result: .success("")) }
}

func makeOperationValues() {
    _ = RetryEvent(error: Failure(), delay: .seconds(1))
    _ = OperationProgress.Snapshot(completed: 1, total: 2)
    _ = LaneStatus(lane: .cpu, limits: LaneLimits(width: 2), width: 2, running: 1, waiting: 3)
    _ = ReachabilityChange(host: "example.org", isReachable: false)
}

func makeTransfer(_ id: TransferID, of url: URL, to file: URL) -> FileTransfer {
    FileTransfer(
        id: id, direction: .download, remote: url, file: file, status: .failed, progress: .init(completed: 1, total: 2), reason: "offline",
        error: Failure())
}

func makeEvent(of entry: OutboxEntry) -> OutboxEvent {
    OutboxEvent(entry: entry, change: .waiting(.offline))
}

func makeFirebaseValues() {
    _ = DatabaseVersion(.null, tag: .missing)
    _ = StorageList(files: [], folders: ["photos/"], nextPage: nil)
}

func makeFeedValues() {
    _ = FeedList(snapshot: FeedSnapshot([Parcel(id: UUID())]), state: .failed, failure: Failure())
    _ = FetchedList([Parcel(id: UUID())], omittedCount: 1)
    _ = FeedUpdate<UUID>(isListChanged: true, rows: [UUID()])
    _ = FeedIndexingFailure(count: 1, isStopped: false, error: Failure())
    _ = Archived("row", at: Date())
}

func makeListValues() {
    _ = PagedList<Parcel>.State(fetching: [.append], failures: [.refresh: Failure()], isComplete: false)
    _ = RecordResults<Parcel>.State(query: RecordQuery(search: "a"), isCurrent: true, count: nil, isUpToDate: false)
}

func makeStore(inPlaceOf file: URL) throws -> SQLiteRecordStore<Parcel> {
    print(QuarantinedFile(file: file, reason: .corrupt))
    return try SQLiteRecordStore(inMemoryReplacing: file)
}

func makeArchives(in records: RecordArchive) {
    _ = FeedArchive<ParcelFeed>(in: records, named: "parcels")
    _ = FeedArchive<ParcelFeed>(ofListIn: records, named: "list")
    _ = FeedArchive<ParcelFeed>(in: records, named: "others", parseID: { UUID(uuidString: $0) })
}
