import Foundation
import LadingFeeds
import LadingTesting

/// A pager over pages of twenty rows, which reaches ten places beyond the view and holds a hundred in memory. Readings are answered at once, with a row
/// for each place that has one.
struct PagerPad {
    typealias TestPager = Pager<ConformanceRow>

    private(set) var pager: TestPager
    /// All flights so far, oldest first.
    private(set) var flights: [PageFlight] = []
    /// The places that have rows.
    private let rows: [Range<Int>]

    /// A pager that was opened with a view, and with runs whose places have rows.
    init(_ runs: [PageRun], view: Range<Int> = 0..<1) {
        pager = TestPager(paging: OffsetPaging(pageLength: 20), limits: .init(reach: 10, kept: 100))
        rows = runs.map(\.places)
        _ = handle(.show(view))
        _ = handle(.opened(runs))
    }

    /// Handles an event, and returns the effects in a few words, without updates.
    mutating func handle(_ event: TestPager.Event) -> String { words(for: event).joined(separator: ", ") }

    /// Handles an event, and returns what is fetched for it.
    mutating func fetches(_ event: TestPager.Event) -> String {
        words(for: event).filter { !$0.hasPrefix("read") }.joined(separator: ", ")
    }

    /// Handles an event, and returns what is read for it.
    mutating func readings(_ event: TestPager.Event) -> String {
        words(for: event).filter { $0.hasPrefix("read") }.joined(separator: ", ")
    }

    private mutating func words(for event: TestPager.Event) -> [String] {
        var events = [event]
        var words: [String] = []
        while !events.isEmpty {
            var effects: [TestPager.Effect] = []
            pager.handle(events.removeFirst(), effects: &effects)
            for effect in effects {
                switch effect {
                case .fetch(let flight):
                    flights.append(flight)
                    words.append("\(flight.direction) \(flight.key)")
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

    /// The places that are shown: with a row as they are, and placeholders in brackets.
    func shown(_ places: Range<Int>) -> [String] {
        pager.slots(in: places).map { slot in
            switch slot {
            case .row(let record): "\(record.place)"
            case .placeholder(let place): "(\(place))"
            }
        }
    }

    private func records(in places: Range<Int>) -> [StoredRecord<ConformanceRow>] {
        places.filter { place in rows.contains { $0.contains(place) } }
            .map { StoredRecord(ConformanceRow($0), place: $0, generation: 1, stored: .distantPast) }
    }
}
