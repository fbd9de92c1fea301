package import Decisions

/// A record of the last events of a state machine and their effects, which can be replayed.
///
/// It consists of segments. Each begins with a copy of the state, so that the oldest one can be dropped and the rest can still be replayed.
package struct DecisionRecord<Decider: Decision> {
    package struct Entry {
        package let event: Decider.Event
        package let effects: [Decider.Effect]
    }

    fileprivate struct Segment {
        /// An event, and the index of its first effect.
        struct LogEvent {
            let event: Decider.Event
            let effectsStart: Int
        }

        var start: Decider
        var events: [LogEvent] = []
        /// The effects of all events, concatenated.
        var effects: [Decider.Effect] = []

        var entries: [Entry] {
            let ends = events.dropFirst().map(\.effectsStart) + [effects.count]
            return zip(events, ends).map { Entry(event: $0.event, effects: Array(effects[$0.effectsStart..<$1])) }
        }
    }

    private static var segmentCount: Int { 2 }

    /// The maximum number of entries.
    package let limit: Int
    private var previous: Segment?
    private var current: Segment?
    /// The number of entries of the current segment, nil without one. Stored here, since reading it from the segment would copy the segment.
    private var count: Int?

    /// Creates an empty record.
    ///
    /// - Parameter limit: The maximum number of entries; 0 disables the record.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns whether `beginSegment` is due before the next event is handled.
    ///
    /// - Parameter length: The minimum number of entries of a segment, for states that are expensive to copy.
    package func needsSegment(ofAtLeast length: Int = 1) -> Bool {
        guard let count else { return limit > 0 }
        return count >= max(length, limit / Self.segmentCount)
    }

    /// Begins a segment with the state before the next event.
    package mutating func beginSegment(with decider: Decider) {
        // The new segment reuses the memory of the one that is dropped.
        swap(&previous, &current)
        if current == nil { current = Segment(start: decider) } else { current?.restart(with: decider) }
        count = 0
    }

    /// Appends the event that is handled next; its effects follow.
    package mutating func appendEvent(_ event: borrowing Decider.Event) {
        guard let count else { return }
        self.count = count + 1
        current?.appendEvent(copy event)
    }

    /// Appends the effects of the last event.
    package mutating func appendEffects(_ effects: borrowing [Decider.Effect]) {
        if count != nil { current?.appendEffects(effects) }
    }

    package var isEmpty: Bool { count == nil }

    package mutating func removeAll() {
        guard !isEmpty else { return }
        (previous, current, count) = (nil, nil, nil)
    }

    private var segments: [Segment] { [previous, current].compactMap { $0 } }

    package var entries: [Entry] { segments.flatMap(\.entries) }

    /// One event of a replay, with the recorded and the replayed effects.
    package struct Step {
        package let entry: Entry
        package let effects: [Decider.Effect]
        package let before: Decider
        package let after: Decider
    }

    /// Replays all events, starting with the state of the oldest segment.
    package func replay(_ body: (Step) throws -> Void) rethrows {
        guard var decider = segments.first?.start else { return }
        for entry in entries {
            let before = decider
            var effects: [Decider.Effect] = []
            decider.handle(entry.event, effects: &effects)
            try body(Step(entry: entry, effects: effects, before: before, after: decider))
        }
    }
}

extension DecisionRecord.Segment {
    mutating func restart(with decider: Decider) {
        start = decider
        events.removeAll(keepingCapacity: true)
        effects.removeAll(keepingCapacity: true)
    }

    mutating func appendEvent(_ event: consuming Decider.Event) {
        events.append(LogEvent(event: event, effectsStart: effects.count))
    }

    /// Appends effects one at a time: there are rarely more than three, and a bulk append costs as much as ten.
    mutating func appendEffects(_ effects: borrowing [Decider.Effect]) {
        for index in effects.indices { self.effects.append(effects[index]) }
    }
}

extension DecisionRecord: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Entry: Sendable where Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Segment.LogEvent: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Segment: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
