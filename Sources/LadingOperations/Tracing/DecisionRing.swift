package import Decisions

/// The last events of many small state machines, each with its effects and the state before it, for replay.
package struct DecisionRing<Decider: Decision> {
    package struct Entry {
        /// The consumer that the decision was made for.
        package let consumer: OperationConsumer
        package let before: Decider
        package let event: Decider.Event
        package let effects: [Decider.Effect]

        /// Returns the effects of handling the event again.
        package func replay() -> [Decider.Effect] {
            var (decider, effects) = (before, [Decider.Effect]())
            decider.handle(event, effects: &effects)
            return effects
        }
    }

    private var ring: RingBuffer<Entry>

    /// Creates an empty ring.
    ///
    /// - Parameter limit: The maximum number of entries; 0 disables recording.
    package init(limit: Int) {
        ring = RingBuffer(limit: limit)
    }

    /// The entries, oldest first.
    package var entries: [Entry] { ring.elements() }

    package mutating func append(_ entry: Entry) {
        ring.append(entry)
    }
}

extension DecisionRing.Entry {
    package init(for consumer: OperationConsumer, _ before: Decider, _ event: Decider.Event, _ effects: [Decider.Effect]) {
        (self.consumer, self.before, self.event, self.effects) = (consumer, before, event, effects)
    }
}

extension DecisionRing: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
extension DecisionRing.Entry: Sendable where Decider: Sendable, Decider.Event: Sendable, Decider.Effect: Sendable {}
