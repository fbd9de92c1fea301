/// The ready flights of one lane and one urgency: viewers take turns, and of each viewer the nearest comes first.
///
/// Each turn costs a viewer one round; the viewer in the lowest round is next, and one that comes in starts in the round that is being served
/// (start-time fair queueing with equal costs: P. Goyal et al., SIGCOMM 1996). A viewer with a thousand flights thus delays one with a single
/// flight by one turn.
///
/// An entry is never moved. A flight whose claim changes is pushed again under a new stamp; entries that are not live any more are skipped
/// when they surface, and cleared out when they outnumber the live ones.
///
/// Of what stands far back a line may hold no more than the name: an operation that has no flight yet.
struct FairQueue: Sendable {
    struct Entry: Prioritized {
        enum Subject {
            case flight(FlightID, version: UInt32)
            /// One that gets its flight when its turn comes, or when it is called out of the line.
            case operation(OperationID)
        }

        /// From the middle of the viewport, in rows.
        var distance: Int
        /// No two entries of operations have the same.
        var sequenceNumber: UInt64
        var subject: Subject

        func precedes(_ other: Entry) -> Bool {
            distance == other.distance ? sequenceNumber < other.sequenceNumber : distance < other.distance
        }
    }

    private struct ActiveConsumer: Prioritized {
        var round: UInt64
        /// Breaks ties in order of arrival.
        var sequenceNumber: UInt64
        var consumer: OperationConsumer

        func precedes(_ other: ActiveConsumer) -> Bool {
            round == other.round ? sequenceNumber < other.sequenceNumber : round < other.round
        }
    }

    private struct ConsumerQueue: Sendable {
        let consumer: OperationConsumer
        var entries = PriorityHeap<Entry>()
    }

    /// Up to so many lines it is quicker to look at each than to look it up.
    private static let linearSearchLimit = 8

    /// One for each viewer that has entries, and for some that had any lately.
    private var queues: [ConsumerQueue] = []
    /// Where the line of each viewer is, when there are many.
    private var queueIndices: [OperationConsumer: Int] = [:]
    /// One for each line.
    private var activeConsumers = PriorityHeap<ActiveConsumer>()
    private var round: UInt64 = 0
    private var lastSequenceNumber: UInt64 = 0
    private var count = 0
    /// How many entries are live.
    var liveCount = 0
    /// The arrivals of operations that were called out of their lines.
    private var removed: Set<UInt64> = []

    mutating func push(_ entry: Entry, for consumer: OperationConsumer) {
        count += 1
        liveCount += 1
        if let index = findQueueIndex(of: consumer) { return queues[index].entries.push(entry) }
        addQueue(for: consumer)
        queues[queues.count - 1].entries.push(entry)
        activate(consumer, in: round)
    }

    /// The entry whose turn it is, and whose it is; it stays until it is taken or dropped. That of a flight may not be live any more.
    mutating func peek() -> (entry: Entry, viewer: OperationConsumer)? {
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

    /// An operation stands in line no more, since it has a flight.
    mutating func remove(sequenceNumber arrival: UInt64) {
        removed.insert(arrival)
        liveCount -= 1
    }

    /// Takes out all operations that have no flight.
    mutating func removeOperations() -> [(entry: Entry, viewer: OperationConsumer)] {
        var removedEntries: [(entry: Entry, viewer: OperationConsumer)] = []
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

    /// Takes out the entry whose turn it is, and gives its viewer another turn.
    mutating func consumeNext() {
        guard let active = activeConsumers.first else { return }
        _ = queues[queueIndex(of: active.consumer)].entries.popFirst()
        count -= 1
        liveCount -= 1
        round = max(round, active.round)
        lastSequenceNumber += 1
        activeConsumers.replaceFirst(with: ActiveConsumer(round: active.round + 1, sequenceNumber: lastSequenceNumber, consumer: active.consumer))
    }

    /// Drops the entry whose turn it is because it is not live; its viewer keeps the turn.
    mutating func dropNext() {
        guard let consumer = activeConsumers.first?.consumer else { return }
        _ = queues[queueIndex(of: consumer)].entries.popFirst()
        count -= 1
    }

    /// Takes out the flight whose turn it is; only where no operations stand in line.
    mutating func popFirst(isLive: (Entry) -> Bool) -> FlightID? {
        while let (entry, _) = peek() {
            guard case .flight(let flight, _) = entry.subject, isLive(entry) else { dropNext(); continue }
            consumeNext()
            return flight
        }
        return nil
    }

    /// Whether enough entries are not live to be worth clearing out.
    var needsCompaction: Bool { count > 2 * liveCount + 64 }

    /// Clears out entries that are not live, when there are enough of them to be worth it.
    ///
    /// - Parameter isLive: Whether that of a flight is.
    mutating func compact(isLive: (Entry) -> Bool) {
        guard needsCompaction else { return }
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
        lastSequenceNumber += 1
        activeConsumers.push(ActiveConsumer(round: round, sequenceNumber: lastSequenceNumber, consumer: consumer))
    }

    // MARK: Lines

    /// The line of a viewer who has a turn.
    private func queueIndex(of consumer: OperationConsumer) -> Int {
        // Proof: a line is removed only when its turn has been taken.
        guard let index = findQueueIndex(of: consumer) else { preconditionFailure("who has a turn has a line") }
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
