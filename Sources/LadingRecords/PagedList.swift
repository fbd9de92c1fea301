/// A paged list on one screen. It reads visible rows from a store and fetches pages that the store does not have.
///
/// ```swift
/// let list = PagedList(store: store, source: source)
/// try await list.open()
/// list.setVisibleRange(0..<12)
/// for await _ in list.updates { draw(list.slots(in: 0..<12), list.state) }
/// ```
///
/// Without a network it shows the rows of the store. Closing or deallocating it cancels its tasks. Any number of lists may share a store, and each is
/// notified of the changes by the others.
public final class PagedList<Row: PersistableRow>: Sendable {
    /// The loading state of a list.
    public struct State: Sendable {
        /// The directions in which pages are being fetched.
        public internal(set) var fetching: Set<PageDirection>
        /// The errors of the last fetch in each direction: a `CancellationError` if others have cancelled it twice. The rows shown before
        /// remain; `retry` fetches again.
        public internal(set) var failures: [PageDirection: any Error]
        /// The error of the last read from the store.
        public internal(set) var readFailure: (any Error)?
        /// The places that pages have loaded, and their generations.
        public internal(set) var loadedRanges: [LoadedRange]
        /// Whether the list is known to end after the last loaded range. After a refresh the end is unknown until it is fetched again, unless pages
        /// are only found one after the other.
        public internal(set) var isComplete: Bool

        /// Creates a state, for tests and previews.
        public init(
            fetching: Set<PageDirection> = [], failures: [PageDirection: any Error] = [:], readFailure: (any Error)? = nil,
            loadedRanges: [LoadedRange] = [], isComplete: Bool = false
        ) {
            (self.fetching, self.failures, self.readFailure) = (fetching, failures, readFailure)
            (self.loadedRanges, self.isComplete) = (loadedRanges, isComplete)
        }
    }

    /// An element for each change of the list; for one reader. It ends with `close()`.
    public let updates: ListUpdates
    private let store: any RecordStore<Row>
    private let tasks: PagerTasks<Pager<Row>>

    /// Creates a list, which is empty until it is opened.
    ///
    /// - Parameters:
    ///   - prefetchDistance: The number of places on each side of the visible ones that are loaded ahead.
    ///   - bufferLimit: The maximum number of places in memory; less than four times the prefetch distance counts as that.
    public init(store: any RecordStore<Row>, source: any PageSource<Row>, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        self.store = store
        let pager = Pager<Row>(paging: source.paging, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))
        tasks = PagerTasks(pager) { effect in
            switch effect {
            case .fetch(let fetch): .run(fetch.number) { await Self.fetch(fetch, from: source, into: store) }
            case .read(let number, let places): .run(number) { [await Self.read(number, places, in: store)] }
            case .cancel(let number): .cancel(number)
            case .update: .update
            }
        }
        updates = tasks.updates
    }

    deinit { close() }

    /// Reads the loaded ranges from the store, and fetches the first page if there never was one or after a call of `refresh`.
    ///
    /// - Throws: Errors of the store. Those of the source are in `state`.
    public nonisolated(nonsending) func open() async throws {
        let changes = store.changes()
        let ranges = try await store.loadedRanges()
        // The subscription started before the read, so later changes are reported after it.
        tasks.handle(.opened(ranges))
        // Ranges that were read before a fetch was completed lack its page, which would be fetched again.
        tasks.follow(changes, version: { $0.completedFetchCount }) { [store] change in
            if let rows = change.locallyChangedRows { return .localChanges(rows) }
            // After a failure the next change of the list or outdated page reads the ranges again.
            return try? .changed(await store.loadedRanges())
        }
    }

    /// Cancels all tasks and ends the updates.
    public func close() { tasks.close() }

    /// Sets the visible places, loaded or not.
    public func setVisibleRange(_ places: Range<Int>) { tasks.handle(.visibleRange(places)) }

    /// Fetches the list again from its first page; before `open()` the list does so when it is opened. Rows are shown until they are replaced.
    public func refresh() { tasks.handle(.refresh) }

    /// Retries failed fetches and reads.
    public func retry() { tasks.handle(.retry) }

    /// Returns the slots of some places, in their order and without empty places.
    public func slots(in places: Range<Int>) -> [PageSlot<Row>] { tasks.withPager { $0.slots(in: places) } }

    /// The rows in memory, in the order of the list: those near the visible places.
    public var rows: [StoredRecord<Row>] { tasks.withPager(\.records) }

    /// The loading state.
    public var state: State { tasks.withPager { State($0) } }

    /// The state and the rows in memory of one moment, with the number of changes of the rows.
    var contents: (state: State, rows: [StoredRecord<Row>], revision: Int) {
        tasks.withPager { (State($0), $0.records, $0.recordsRevision) }
    }
}

extension PagedList.State {
    fileprivate init(_ pager: Pager<Row>) {
        self.init(
            fetching: pager.fetching, failures: pager.failures, readFailure: pager.readFailure, loadedRanges: pager.loadedRanges.ranges,
            isComplete: pager.isComplete)
    }
}

// MARK: - Tasks

extension PagedList {
    private static func fetch(
        _ fetch: PageFetch, from source: any PageSource<Row>, into store: any RecordStore<Row>
    ) async -> [Pager<Row>.Event] {
        do {
            let page = RecordPage(try await source.page(at: fetch.key), for: fetch, source.paging)
            try Task.checkCancellation()
            guard try await store.store(page) != .stored else { return [.fetched(fetch.number, page.loadedRange)] }
            // A newer refresh has changed the loaded ranges, on which the next fetches depend.
            return [.changed(try await store.loadedRanges()), .dropped(fetch.number)]
        } catch is CancellationError {
            return [.cancelled(fetch.number)]
        } catch {
            return [.failed(fetch.number, error)]
        }
    }

    private static func read(_ number: Int, _ places: Range<Int>, in store: any RecordStore<Row>) async -> Pager<Row>.Event {
        do { return .read(number, try await store.allRecords(in: places)) } catch { return .readFailed(number, error) }
    }
}
