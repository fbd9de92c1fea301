import LadingOperations
import Synchronization

/// A list on one screen, page by page. It reads the rows in view from a store, and fetches the pages that are missing there.
///
/// ```swift
/// let list = PagedList(store: store, source: source)
/// try await list.open()
/// list.show(0..<12)
/// for await _ in list.updates { draw(list.slots(in: 0..<12), list.state) }
/// ```
///
/// With no network it shows what the store has. It ends what it has begun when it is closed or let go of. Any number of lists may share a store: each is told
/// what the others bring.
public final class PagedList<Row: Recordable>: Sendable {
    /// How far a list is.
    public struct State: Sendable {
        /// Where pages are under way.
        public var fetching: Set<PageDirection>
        /// What kept the last fetch in a direction from success. What was shown before is still shown; `retry` tries again.
        public var failures: [PageDirection: any Error]
        /// What kept rows from being read.
        public var readFailure: (any Error)?
        /// Which places are covered, by which refresh.
        public var loadedRanges: [LoadedRange]
        /// Whether the list is known to end behind the last of them.
        public var isComplete: Bool
    }

    private struct MutableState: Sendable {
        var pager: Pager<Row>
        /// What was begun, by the number of the flight or reading.
        var tasks: [Int: Task<Void, Never>] = [:]
        var changesTask: Task<Void, Never>?
        var isClosed = false
    }

    /// Says that the list looks different now; for one reader.
    public let updates: AsyncStream<Void>
    private let updateContinuation: AsyncStream<Void>.Continuation
    private let store: any RecordStore<Row>
    private let source: any PageSource<Row>
    private let mutableState: Mutex<MutableState>

    /// - Parameters:
    ///   - reach: How many places beyond those in view are made ready.
    ///   - kept: How many places are held in memory, however far one scrolls.
    public init(store: any RecordStore<Row>, source: any PageSource<Row>, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        (self.store, self.source) = (store, source)
        (updates, updateContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        mutableState = Mutex(MutableState(pager: Pager(paging: source.paging, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))))
    }

    deinit { close() }

    /// Begins: reads what the store has, and fetches the first page if it never had any.
    public nonisolated(nonsending) func open() async throws {
        let changes = store.changes()
        let runs = try await store.loadedRanges()
        // What has changed since then is told after it.
        handle(.opened(runs))
        mutableState.withLock { inside in
            guard !inside.isClosed, inside.changesTask == nil else { return }
            inside.changesTask = Task { [weak self] in
                for await _ in changes { await self?.reloadRanges() }
            }
        }
    }

    /// Ends what is under way. Nothing is shown anew after that.
    public func close() {
        let tasks = mutableState.withLock { inside in
            inside.isClosed = true
            defer { (inside.tasks, inside.changesTask) = ([:], nil) }
            return Array(inside.tasks.values) + [inside.changesTask].compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        updateContinuation.finish()
    }

    /// These places are in view.
    public func setVisibleRange(_ places: Range<Int>) { handle(.visibleRange(places)) }

    /// This place is wanted in view, whether or not anything is known of it yet.
    public func jump(to place: Int) { handle(.jump(to: place)) }

    /// Fetches the list anew from its first page; what is shown stays until it is replaced.
    public func refresh() { handle(.refresh) }

    /// Tries again what has failed.
    public func retry() { handle(.retry) }

    /// What stands in some places, without those that stay empty.
    public func slots(in places: Range<Int>) -> [PageSlot<Row>] { mutableState.withLock { $0.pager.slots(in: places) } }

    /// What is under way, what has failed, and how much of the list is stored.
    public var state: State {
        mutableState.withLock { inside in
            let pager = inside.pager
            return State(
                fetching: pager.fetching, failures: pager.failures, readFailure: pager.readFailure, loadedRanges: pager.loadedRanges.ranges,
                isComplete: pager.isComplete)
        }
    }
}

// MARK: - Performing

extension PagedList {
    private func handle(_ event: Pager<Row>.Event, after number: Int? = nil) {
        let cancelled = mutableState.withLock { inside -> [Task<Void, Never>] in
            if let number { inside.tasks[number] = nil }
            guard !inside.isClosed else { return [] }
            var effects: [Pager<Row>.Effect] = []
            inside.pager.handle(event, effects: &effects)
            return effects.compactMap { perform($0, &inside) }
        }
        for task in cancelled { task.cancel() }
    }

    /// Begins what is to be done; gives back what is to be cancelled once the lock is released.
    private func perform(_ effect: Pager<Row>.Effect, _ inside: inout MutableState) -> Task<Void, Never>? {
        switch effect {
        case .fetch(let fetch): inside.tasks[fetch.number] = Task { [weak self] in await self?.fetch(fetch) }
        case .read(let number, let places): inside.tasks[number] = Task { [weak self] in await self?.read(number, places) }
        case .cancel(let number): return inside.tasks.removeValue(forKey: number)
        case .update: updateContinuation.yield()
        }
        return nil
    }

    private func fetch(_ flight: PageFetch) async {
        let event: Pager<Row>.Event
        do { event = try await fetchAndStore(flight) } catch { event = .failed(flight.number, error) }
        handle(event, after: flight.number)
    }

    private func fetchAndStore(_ flight: PageFetch) async throws -> Pager<Row>.Event {
        let page = RecordPage(try await source.page(at: flight.key), for: flight, source.paging)
        try Task.checkCancellation()
        guard try await store.store(page) != .stored else { return .fetched(flight.number, page.loadedRange) }
        // Whoever was newer has covered other places: what is planned next goes by those.
        handle(.changed(try await store.loadedRanges()))
        return .dropped(flight.number)
    }

    private func read(_ number: Int, _ places: Range<Int>) async {
        let event: Pager<Row>.Event
        do {
            event = .read(number, try await store.records(in: places).records)
        } catch {
            event = .readFailed(number, error)
        }
        handle(event, after: number)
    }

    private func reloadRanges() async {
        // When it cannot be read now, the next change will tell, or the next page that comes too late.
        guard let runs = try? await store.loadedRanges() else { return }
        handle(.changed(runs))
    }
}
