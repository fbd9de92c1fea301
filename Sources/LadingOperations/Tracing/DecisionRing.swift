/// The last events of many small decisions and what each decided, every one with the decision as it was before: each can be made again alone.
package struct DecisionRing<Decider: Decision> {
    package struct Entry {
        /// Whose decision it was.
        package let consumer: OperationConsumer
        package let before: Decider
        package let event: Decider.Event
        package let effects: [Decider.Effect]

        /// What is decided when it is told again.
        package func replay() -> [Decider.Effect] {
            var (decider, effects) = (before, [Decider.Effect]())
            decider.handle(event, effects: &effects)
            return effects
        }
    }

    private var ring: RingBuffer<Entry>

    /// - Parameter limit: The most entries kept; 0 keeps none.
    package init(limit: Int) {
        ring = RingBuffer(limit: limit)
    }

    /// Oldest first.
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
