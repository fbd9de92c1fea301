import Foundation
import LadingConformance
import LadingRecords
import LadingTesting

/// A result pager with a store and its pending reads and counts, which are performed on request.
struct ResultPagerHarness {
    typealias Row = ConformanceRow
    typealias Effect = ResultPager<Row>.Effect

    private(set) var pager: ResultPager<Row>
    let store = MemoryRecordStore<Row>()
    /// The pending effects, oldest first.
    private(set) var pending: [Effect] = []
    private(set) var cancelled: [Int] = []
    /// The results that the store has already returned for pending effects, by number.
    private var preparedEvents: [Int: ResultPager<Row>.Event] = [:]
    /// The rows that are stored and cannot be decoded.
    var unreadableIDs: Set<Int> = []
    /// The cursors of all reads.
    private(set) var cursors: [ResultCursor] = []

    init(_ query: RecordQuery = RecordQuery(), rows: [Row]) async throws {
        pager = ResultPager(query, limits: .init(prefetchDistance: 10, bufferLimit: 100))
        try await put(rows)
    }

    /// Replaces all rows of the store.
    func put(_ rows: [Row]) async throws {
        let generation = try await store.newestGeneration() + 1
        _ = try await store.store(RecordPage(rows, at: 0, generation: generation, isEnd: true))
    }

    /// Marks a row by a local change.
    mutating func mark(_ id: Int, with value: UInt8 = 1) async throws {
        try await store.setLocalChange(Data([value]), named: "mark", of: id)
        send(.localChanges([id]))
    }

    /// Returns the mark of the row at an index; nil without one, or if the row is not in memory.
    func mark(at index: Int) -> UInt8? { pager.record(at: index)?.localChanges["mark"]?.first }

    mutating func send(_ event: ResultPager<Row>.Event) {
        var effects: [Effect] = []
        pager.handle(event, effects: &effects)
        for effect in effects {
            switch effect {
            case .read(_, _, let start, _):
                cursors.append(start)
                pending.append(effect)
            case .readLocalChanges, .count: pending.append(effect)
            case .cancel(let number):
                cancelled.append(number)
                pending.removeAll { $0.number == number }
            case .update: break
            }
        }
    }

    /// Sends an event and performs all effects that follow.
    mutating func runUntilIdle(_ event: ResultPager<Row>.Event) async throws {
        send(event)
        while !pending.isEmpty { try await performOne() }
    }

    /// Reads the store now; the result is delivered when the effect is performed.
    mutating func prepareOne(at index: Int = 0) async throws {
        guard let number = pending[index].number, preparedEvents[number] == nil else { return }
        preparedEvents[number] = try await event(for: pending[index])
    }

    mutating func performOne(at index: Int = 0) async throws {
        let effect = pending.remove(at: index)
        if let event = effect.number.flatMap({ preparedEvents.removeValue(forKey: $0) }) { return send(event) }
        if let event = try await event(for: effect) { send(event) }
    }

    private func event(for effect: Effect) async throws -> ResultPager<Row>.Event? {
        switch effect {
        case .read(let number, let query, let start, let limit):
            .read(number, readable(try await store.records(query, from: start, limit: limit)))
        case .readLocalChanges(let number, let ids): .read(number, readable(try await store.records(of: ids)))
        case .count(let number, let query): .counted(number, try await store.count(query))
        case .cancel, .update: nil
        }
    }

    private func readable(_ slice: RecordSlice<Row>) -> RecordSlice<Row> {
        let records = slice.records.filter { !unreadableIDs.contains($0.row.id) }
        return RecordSlice(records, unreadable: slice.records.count - records.count)
    }

    mutating func failOne(with error: any Error) {
        guard let number = pending.removeFirst().number else { return }
        send(.failed(number, error))
    }

    /// The limits of the pending reads.
    var pendingReadLimits: [Int] {
        pending.compactMap { effect -> Int? in if case .read(_, _, _, let limit) = effect { limit } else { nil } }
    }

    /// The rows of the pending reads of local changes.
    var pendingRowReads: [[Int]] {
        pending.compactMap { effect -> [Int]? in if case .readLocalChanges(_, let ids) = effect { ids } else { nil } }
    }

    /// Returns the identities at some indices; nil for rows that are not in memory.
    func rowIDs(in indices: Range<Int>) -> [Int?] { indices.map { pager.record(at: $0)?.row.id } }
}

extension ResultPager.Effect {
    fileprivate var number: Int? {
        switch self {
        case .read(let number, _, _, _), .readLocalChanges(let number, _), .count(let number, _), .cancel(let number): number
        case .update: nil
        }
    }
}
