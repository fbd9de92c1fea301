/// The last events that a decision was told and what it decided each time; from it the same decisions can be made again.
///
/// It is kept in chapters. Each begins with the decision as it was then, so that the oldest one can be dropped and the rest still be replayed.
package struct DecisionRecord<Decider: Decision> {
    package struct Entry {
        package let event: Decider.Event
        package let effects: [Decider.Effect]
    }

    fileprivate struct Chapter {
        /// An event, and where its effects begin among those of all events.
        struct Line {
            let event: Decider.Event
            let effectsStart: Int
        }

        var start: Decider
        var lines: [Line] = []
        /// Of all events, one after the other.
        var effects: [Decider.Effect] = []

        var entries: [Entry] {
            let ends = lines.dropFirst().map(\.effectsStart) + [effects.count]
            return zip(lines, ends).map { Entry(event: $0.event, effects: Array(effects[$0.effectsStart..<$1])) }
        }
    }

    private static var chapterCount: Int { 2 }

    /// The most entries kept.
    package let limit: Int
    private var former: Chapter?
    private var latest: Chapter?
    /// How many entries the latest chapter has; nil when there is none. Kept here: to ask the chapter itself would copy it.
    private var count: Int?

    /// - Parameter limit: The most entries kept; 0 keeps none.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether `beginChapter` is due before the next event is handled.
    ///
    /// - Parameter length: The least entries of a chapter, when what is copied for it is worth more than usual.
    package func needsChapter(ofAtLeast length: Int = 1) -> Bool {
        guard let count else { return limit > 0 }
        return count >= max(length, limit / Self.chapterCount)
    }

    /// The decision as it is before the next event.
    package mutating func beginChapter(with decider: Decider) {
        // What was the former one lends its memory to the new one.
        swap(&former, &latest)
        if latest == nil { latest = Chapter(start: decider) } else { latest?.restart(with: decider) }
        count = 0
    }

    /// The event that is handled next; its effects follow.
    package mutating func note(_ event: borrowing Decider.Event) {
        guard let count else { return }
        self.count = count + 1
        latest?.note(copy event)
    }

    /// What the event that was noted last came to.
    package mutating func note(_ effects: borrowing [Decider.Effect]) {
        if count != nil { latest?.note(effects) }
    }

    package var isEmpty: Bool { count == nil }

    package mutating func removeAll() {
        guard !isEmpty else { return }
        (former, latest, count) = (nil, nil, nil)
    }

    private var chapters: [Chapter] { [former, latest].compactMap { $0 } }

    package var entries: [Entry] { chapters.flatMap(\.entries) }

    /// One event of a replay, with what was decided then and what is decided now.
    package struct Step {
        package let entry: Entry
        package let effects: [Decider.Effect]
        package let before: Decider
        package let after: Decider
    }

    /// Tells the whole record to the decision as it was at the beginning.
    package func replay(_ look: (Step) throws -> Void) rethrows {
        guard var decider = chapters.first?.start else { return }
        for entry in entries {
            let before = decider
            var effects: [Decider.Effect] = []
            decider.handle(entry.event, effects: &effects)
            try look(Step(entry: entry, effects: effects, before: before, after: decider))
        }
    }
}

extension DecisionRecord.Chapter {
    mutating func restart(with decider: Decider) {
        start = decider
        lines.removeAll(keepingCapacity: true)
        effects.removeAll(keepingCapacity: true)
    }

    mutating func note(_ event: consuming Decider.Event) {
        lines.append(Line(event: event, effectsStart: effects.count))
    }

    /// One by one: there are seldom more than three, and to move them all at once costs as much as ten.
    mutating func note(_ effects: borrowing [Decider.Effect]) {
        for index in effects.indices { self.effects.append(effects[index]) }
    }
}

extension DecisionRecord: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Entry: Sendable where Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Chapter.Line: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Chapter: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
