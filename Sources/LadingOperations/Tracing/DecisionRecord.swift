/// The last events that a decision was told and what it decided each time; from it the same decisions can be made again.
///
/// It is kept in chapters. Each begins with the decision as it was then, so that the oldest one can be dropped and the rest still be replayed.
package struct DecisionRecord<Decider: Decision> {
    package struct Entry {
        package let event: Decider.Event
        package let effects: [Decider.Effect]
    }

    fileprivate struct Chapter {
        var start: Decider
        var events: [Decider.Event] = []
        /// Of all events, one after the other.
        var effects: [Decider.Effect] = []
        /// Where the effects of each event end.
        var ends: [Int] = []

        var entries: [Entry] {
            zip(events, zip([0] + ends, ends)).map { event, bounds in Entry(event: event, effects: Array(effects[bounds.0..<bounds.1])) }
        }
    }

    private static var chapterCount: Int { 2 }

    /// The most entries kept.
    package let limit: Int
    private var chapters: [Chapter] = []
    /// How many entries the last chapter has.
    private var count = 0

    /// - Parameter limit: The most entries kept; 0 keeps none.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether `beginChapter` is due before the next event is handled.
    ///
    /// - Parameter length: The least entries of a chapter, when what is copied for it is worth more than usual.
    package func needsChapter(ofAtLeast length: Int = 1) -> Bool {
        limit > 0 && (chapters.isEmpty || count >= max(length, limit / Self.chapterCount))
    }

    /// The decision as it is before the next event.
    package mutating func beginChapter(with decider: Decider) {
        var chapter = chapters.count < Self.chapterCount ? Chapter(start: decider) : chapters.removeFirst()
        chapter.restart(with: decider)
        chapters.append(chapter)
        count = 0
    }

    package mutating func note(_ event: Decider.Event, _ effects: [Decider.Effect]) {
        guard !chapters.isEmpty else { return }
        count += 1
        chapters[chapters.count - 1].note(event, effects)
    }

    package var isEmpty: Bool { chapters.isEmpty }

    package mutating func removeAll() {
        guard !isEmpty else { return }
        chapters = []
        count = 0
    }

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
        events.removeAll(keepingCapacity: true)
        effects.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func note(_ event: Decider.Event, _ effects: [Decider.Effect]) {
        events.append(event)
        self.effects += effects
        ends.append(self.effects.count)
    }
}

extension DecisionRecord: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Entry: Sendable where Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRecord.Chapter: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
