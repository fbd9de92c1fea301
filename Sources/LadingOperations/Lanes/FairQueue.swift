/// The ready flights of one lane and one urgency, served round-robin by consumer and nearest first within a consumer.
///
/// Each flight served costs its consumer one round; the consumer in the lowest round is served next, and a new one starts in the current round
/// (start-time fair queueing with equal costs: P. Goyal et al., SIGCOMM 1996). A consumer with a thousand flights thus delays one with a single
/// flight by one turn.
///
/// Entries do not move. A flight whose priority changes is pushed again under a new version; stale entries are skipped when they reach the front,
/// and removed when they outnumber the live ones.
///
/// An entry may also hold an operation that has no flight yet.
struct FairQueue: Sendable {
    struct Entry: Prioritized {
        enum Subject {
            case flight(FlightID, version: UInt32)
            /// An operation whose flight is created when it is dequeued.
            case operation(OperationID)
        }

        /// The distance from the middle of the viewport in rows.
        var distance: Int
        /// The order of arrival, unique among operations.
        var sequenceNumber: UInt64
        var subject: Subject

        func isOrderedBefore(_ other: Entry) -> Bool {
            (distance, sequenceNumber) < (other.distance, other.sequenceNumber)
        }
    }

    private struct ActiveConsumer: Prioritized {
        var round: UInt64
        /// The order of arrival, which breaks ties.
        var sequenceNumber: UInt64
        var consumer: OperationConsumer

        func isOrderedBefore(_ other: ActiveConsumer) -> Bool {
            (round, sequenceNumber) < (other.round, other.sequenceNumber)
        }
    }

    private struct ConsumerQueue: Sendable {
        let consumer: OperationConsumer
        var entries = PriorityHeap<Entry>()
    }

    /// The number of queues up to which a linear search is faster than a dictionary.
    private static let linearSearchLimit = 8

    /// The queues of consumers with entries, or with recent ones.
    private var queues: [ConsumerQueue] = []
    /// The index of each consumer's queue, when there are more than `linearSearchLimit`.
    private var queueIndices: [OperationConsumer: Int] = [:]
    /// One element for each queue.
    private var activeConsumers = PriorityHeap<ActiveConsumer>()
    private var round: UInt64 = 0
    private var lastSequenceNumber: UInt64 = 0
    private var count = 0
    /// The number of live entries.
    var liveCount = 0
    /// The sequence numbers of removed operations.
    private var removed: Set<UInt64> = []

    mutating func push(_ entry: Entry, for consumer: OperationConsumer) {
        count += 1
        liveCount += 1
        if let index = findQueueIndex(of: consumer) { return queues[index].entries.push(entry) }
        addQueue(for: consumer)
        queues[queues.count - 1].entries.push(entry)
        activate(consumer, in: round)
    }

    /// Returns the next entry and its consumer without removing it. The entry of a flight may be stale.
    mutating func peek() -> (entry: Entry, consumer: OperationConsumer)? {
        while let consumer = activeConsumers.first?.consumer {
            let index = queueIndex(of: consumer)
            guard let entry = queues[index].entries.first else {
                _ = activeConsumers.popFirst()
                removeQueue(at: index)
                continue
            }
            guard !removed.isEmpty, isRemoved(entry) else { return (entry, consumer) }
            removed.remove(entry.sequenceNumber)
            dropNext()
        }
        return nil
    }

    /// Removes the operation with this sequence number from the queue.
    mutating func remove(sequenceNumber: UInt64) {
        removed.insert(sequenceNumber)
        liveCount -= 1
    }

    /// Removes and returns all operations that have no flight.
    mutating func removeOperations() -> [(entry: Entry, consumer: OperationConsumer)] {
        var removedEntries: [(entry: Entry, consumer: OperationConsumer)] = []
        for index in queues.indices {
            let consumer = queues[index].consumer
            queues[index].entries.retain { entry in
                guard case .operation = entry.subject else { return true }
                if !removed.contains(entry.sequenceNumber) { removedEntries.append((entry, consumer)) }
                return false
            }
        }
        count -= removedEntries.count + removed.count
        liveCount -= removedEntries.count
        removed = []
        return removedEntries
    }

    private func isRemoved(_ entry: Entry) -> Bool {
        if case .operation = entry.subject { removed.contains(entry.sequenceNumber) } else { false }
    }

    /// Removes the next entry and charges its consumer one round.
    mutating func consumeNext() {
        guard let active = activeConsumers.first else { return }
        _ = queues[queueIndex(of: active.consumer)].entries.popFirst()
        count -= 1
        liveCount -= 1
        round = max(round, active.round)
        let next = ActiveConsumer(round: active.round + 1, sequenceNumber: nextSequenceNumber(), consumer: active.consumer)
        activeConsumers.replaceFirst(with: next)
    }

    /// Drops the next entry because it is stale, without charging its consumer.
    mutating func dropNext() {
        guard let consumer = activeConsumers.first?.consumer else { return }
        _ = queues[queueIndex(of: consumer)].entries.popFirst()
        count -= 1
    }

    /// Removes and returns the next live flight. For queues without operations only.
    mutating func popFirst(isLive: (Entry) -> Bool) -> FlightID? {
        while let (entry, _) = peek() {
            guard case .flight(let flight, _) = entry.subject, isLive(entry) else { dropNext(); continue }
            consumeNext()
            return flight
        }
        return nil
    }

    /// Whether enough entries are stale to justify compaction.
    var shouldCompact: Bool { count > 2 * liveCount + 64 }

    /// Removes stale entries if `shouldCompact`.
    ///
    /// - Parameter isLive: Whether the entry of a flight is live.
    mutating func compact(isLive: (Entry) -> Bool) {
        guard shouldCompact else { return }
        count = 0
        for index in queues.indices {
            queues[index].entries.retain { entry in
                if case .operation = entry.subject { !removed.contains(entry.sequenceNumber) } else { isLive(entry) }
            }
            count += queues[index].entries.count
        }
        removed = []
    }

    private mutating func activate(_ consumer: OperationConsumer, in round: UInt64) {
        let active = ActiveConsumer(round: round, sequenceNumber: nextSequenceNumber(), consumer: consumer)
        activeConsumers.push(active)
    }

    private mutating func nextSequenceNumber() -> UInt64 {
        lastSequenceNumber += 1
        return lastSequenceNumber
    }

    // MARK: Consumers

    /// Returns the index of an active consumer's queue.
    private func queueIndex(of consumer: OperationConsumer) -> Int {
        // Proof: a queue is removed only after its consumer was popped from activeConsumers.
        guard let index = findQueueIndex(of: consumer) else { preconditionFailure("an active consumer must have a queue") }
        return index
    }

    private func findQueueIndex(of consumer: OperationConsumer) -> Int? {
        guard queues.count <= Self.linearSearchLimit else { return queueIndices[consumer] }
        for index in queues.indices where queues[index].consumer == consumer { return index }
        return nil
    }

    private mutating func addQueue(for consumer: OperationConsumer) {
        queues.append(ConsumerQueue(consumer: consumer))
        if queues.count == Self.linearSearchLimit + 1 {
            for index in queues.indices { queueIndices[queues[index].consumer] = index }
        } else if queues.count > Self.linearSearchLimit {
            queueIndices[consumer] = queues.count - 1
        }
    }

    private mutating func removeQueue(at index: Int) {
        let consumer = queues[index].consumer
        queues.swapAt(index, queues.count - 1)
        queues.removeLast()
        guard queues.count > Self.linearSearchLimit else { return queueIndices = [:] }
        queueIndices[consumer] = nil
        if index < queues.count { queueIndices[queues[index].consumer] = index }
    }
}
