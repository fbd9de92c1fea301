import Foundation
import LadingConformance
import LadingRecords

/// A pager with pages of twenty rows, a prefetch distance of ten places and a buffer of a hundred. Reads return at once, with a row for each place
/// that has one.
struct PagerHarness {
    typealias TestPager = Pager<ConformanceRow>

    private(set) var pager: TestPager
    /// All fetches so far, oldest first.
    private(set) var allFetches: [PageFetch] = []
    /// The places that have rows.
    private let rows: [Range<Int>]

    /// Creates a pager that was opened with a view and with loaded ranges.
    ///
    /// - Parameter places: The places that have rows; nil for all of the loaded ranges.
    init(_ runs: [LoadedRange], rows places: Range<Int>? = nil, view: Range<Int> = 0..<1) {
        pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(prefetchDistance: 10, bufferLimit: 100))
        rows = places.map { [$0] } ?? runs.map(\.places)
        _ = handle(.visibleRange(view))
        _ = handle(.opened(runs))
    }

    /// Handles an event and returns the effects as text, without updates.
    mutating func handle(_ event: TestPager.Event) -> String { effectTexts(of: event).joined(separator: ", ") }

    /// Handles an event and returns its fetches.
    mutating func fetches(_ event: TestPager.Event) -> String {
        effectTexts(of: event).filter { !$0.hasPrefix("read") }.joined(separator: ", ")
    }

    /// Handles an event and returns its reads.
    mutating func reads(_ event: TestPager.Event) -> String {
        effectTexts(of: event).filter { $0.hasPrefix("read") }.joined(separator: ", ")
    }

    private mutating func effectTexts(of event: TestPager.Event) -> [String] {
        var events = [event]
        var words: [String] = []
        while !events.isEmpty {
            var effects: [TestPager.Effect] = []
            pager.handle(events.removeFirst(), effects: &effects)
            for effect in effects {
                switch effect {
                case .fetch(let fetch):
                    allFetches.append(fetch)
                    words.append("\(fetch.direction) \(fetch.key)")
                case .cancel(let number): words.append("cancel \(number)")
                case .read(let number, let places):
                    words.append("read \(places)")
                    events.append(.read(number, records(in: places)))
                case .update: break
                }
            }
        }
        return words
    }

    /// Returns the slots of some places, with placeholders in brackets.
    func slots(_ places: Range<Int>) -> [String] {
        pager.slots(in: places).map { slot in
            switch slot {
            case .row(let record): "\(record.place)"
            case .placeholder(let place): "(\(place))"
            }
        }
    }

    private func records(in places: Range<Int>) -> [StoredRecord<ConformanceRow>] {
        places.filter { place in rows.contains { $0.contains(place) } }
            .map { StoredRecord(ConformanceRow($0), place: $0, generation: 1, storedAt: .distantPast) }
    }
}
