/// A token that prevents coalescing with work that started earlier in the same queue.
///
/// Epochs of one queue are ordered by time; the order of those of different queues has no meaning.
public struct QueueEpoch: Comparable, Sendable {
    private let flightEpoch: FlightEpoch
    private let queueNumber: UInt32

    init(_ flightEpoch: FlightEpoch, of queue: BackendQueue) {
        self.flightEpoch = flightEpoch
        queueNumber = queue.number
    }

    /// Returns the epoch for the flights of a queue; nil if the epoch belongs to another queue, and so concerns none of them.
    func flightEpoch(in queue: BackendQueue) -> FlightEpoch? { queueNumber == queue.number ? flightEpoch : nil }

    /// Whether both epochs belong to one queue, so that their order is that of time.
    package func isOfSameQueue(as other: Self) -> Bool { queueNumber == other.queueNumber }

    public static func < (left: Self, right: Self) -> Bool {
        (left.queueNumber, left.flightEpoch) < (right.queueNumber, right.flightEpoch)
    }
}
