/// The last events that a decision was told and what it decided each time; from it the same decisions can be made again.
///
/// It is kept in chapters. Each begins with the decision as it was then, so that the oldest one can be dropped and the rest still be replayed.
package struct DecisionRecord<Decider: Decision> {
    package struct Entry {
        package let event: Decider.Event
        package let effects: [Decider.Effect]
    }

    fileprivate struct Segment {
        /// An event, and where its effects begin among those of all events.
        struct LoggedEvent {
            let event: Decider.Event
            let effectsStart: Int
        }

        var start: Decider
        var events: [LoggedEvent] = []
        /// Of all events, one after the other.
        var effects: [Decider.Effect] = []

        var entries: [Entry] {
            let ends = events.dropFirst().map(\.effectsStart) + [effects.count]
            return zip(events, ends).map { Entry(event: $0.event, effects: Array(effects[$0.effectsStart..<$1])) }
        }
    }

    private static var segmentCount: Int { 2 }

    /// The most entries kept.
    package let limit: Int
    private var previous: Segment?
    private var current: Segment?
    /// How many entries the latest chapter has; nil when there is none. Kept here: to ask the chapter itself would copy it.
    private var count: Int?

    /// - Parameter limit: The most entries kept; 0 keeps none.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether `beginSegment` is due before the next event is handled.
    ///
    /// - Parameter length: The least entries of a chapter, when what is copied for it is worth more than usual.
    package func needsSegment(ofAtLeast length: Int = 1) -> Bool {
        guard let count else { return limit > 0 }
        return count >= max(length, limit / Self.segmentCount)
    }

    /// The decision as it is before the next event.
    package mutating func beginSegment(with decider: Decider) {
        // What was the former one lends its memory to the new one.
        swap(&previous, &current)
        if current == nil { current = Segment(start: decider) } else { current?.restart(with: decider) }
        count = 0
    }

    /// The event that is handled next; its effects follow.
    package mutating func appendEvent(_ event: borrowing Decider.Event) {
        guard let count else { return }
        self.count = count + 1
        current?.appendEvent(copy event)
    }

    /// What the event that was noted last came to.
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

    /// One event of a replay, with what was decided then and what is decided now.
    package struct Step {
        package let entry: Entry
        package let effects: [Decider.Effect]
        package let before: Decider
        package let after: Decider
    }

    /// Tells the whole record to the decision as it was at the beginning.
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
        events.append(LoggedEvent(event: event, effectsStart: effects.count))
    }

    /// One by one: there are seldom more than three, and to move them all at once costs as much as ten.
    mutating func appendEffects(_ effects: borrowing [Decider.Effect]) {
        for index in effects.indices { self.effects.append(effects[index]) }
    }
}

extension DecisionRecord: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Entry: Sendable where Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Segment.LoggedEvent: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Segment: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
