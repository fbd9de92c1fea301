import LadingFeeds
import LadingTesting

/// A window on the results of a query, the store that it reads, and how it was asked. Readings and countings are performed when a test says so.
struct ResultDesk {
    typealias Row = ConformanceRow
    typealias Effect = ResultWindow<Row>.Effect

    private(set) var window: ResultWindow<Row>
    let store = MemoryRecordStore<Row>()
    /// What is under way, oldest first.
    private(set) var pending: [Effect] = []
    private(set) var cancelled: [Int] = []
    /// What the store has said already to what is under way, by its number.
    private var answers: [Int: ResultWindow<Row>.Event] = [:]
    /// Rows that are there and cannot be decoded.
    var unreadable: Set<Int> = []
    /// From where rows were read.
    private(set) var starts: [RecordStart] = []

    init(_ query: RecordQuery = RecordQuery(), rows: [Row]) async throws {
        window = ResultWindow(query, limits: .init(reach: 10, kept: 100))
        try await put(rows)
    }

    /// The store has these rows now, and no others.
    func put(_ rows: [Row]) async throws {
        let generation = try await store.newestGeneration() + 1
        _ = try await store.store(RecordPage(rows, at: 0, generation: generation, isEnd: true))
    }

    mutating func tell(_ event: ResultWindow<Row>.Event) {
        var effects: [Effect] = []
        window.handle(event, effects: &effects)
        for effect in effects {
            switch effect {
            case .read(_, _, let start, _):
                starts.append(start)
                pending.append(effect)
            case .count: pending.append(effect)
            case .cancel(let number):
                cancelled.append(number)
                pending.removeAll { $0.number == number }
            case .update: break
            }
        }
    }

    /// Tells something, and performs whatever follows from it.
    mutating func settle(_ event: ResultWindow<Row>.Event) async throws {
        tell(event)
        while !pending.isEmpty { try await performOne() }
    }

    /// The store is asked now; what it says arrives when this is performed.
    mutating func askOne(at index: Int = 0) async throws {
        guard let number = pending[index].number, answers[number] == nil else { return }
        answers[number] = try await answer(to: pending[index])
    }

    mutating func performOne(at index: Int = 0) async throws {
        let effect = pending.remove(at: index)
        if let event = effect.number.flatMap({ answers.removeValue(forKey: $0) }) { return tell(event) }
        if let event = try await answer(to: effect) { tell(event) }
    }

    private func answer(to effect: Effect) async throws -> ResultWindow<Row>.Event? {
        switch effect {
        case .read(let number, let query, let start, let limit):
            .read(number, readable(try await store.records(query, from: start, limit: limit)))
        case .count(let number, let query): .counted(number, try await store.count(query))
        case .cancel, .update: nil
        }
    }

    private func readable(_ slice: RecordSlice<Row>) -> RecordSlice<Row> {
        let records = slice.records.filter { !unreadable.contains($0.row.id) }
        return RecordSlice(records, unreadable: slice.records.count - records.count)
    }

    mutating func failOne(with error: any Error) {
        guard let number = pending.removeFirst().number else { return }
        tell(.failed(number, error))
    }

    /// The identities at some indices; nil for those that are not in memory.
    func shown(_ indices: Range<Int>) -> [Int?] { indices.map { window.record(at: $0)?.row.id } }
}

extension ResultWindow.Effect {
    fileprivate var number: Int? {
        switch self {
        case .read(let number, _, _, _), .count(let number, _), .cancel(let number): number
        case .update: nil
        }
    }
}
