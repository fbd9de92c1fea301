/// One direction of a link: a single line on which the segments of all connections take turns.
///
/// A segment waits for its turn, holds the line for as long as its bytes take, travels, and arrives. Times are counted from
/// the moment the link was laid, and never run backwards. The line costs nothing while nobody asks: `run(until:)` makes up
/// for the time that has passed, at the exact moments at which things would have happened.
///
/// A sender is idle → waiting (`enqueue`, `end`) → on the line → waiting or idle; `close` leads out of each.
struct SimplexLink {
    /// The most bytes in one segment: what an Ethernet frame carries besides the headers of IP and TCP.
    static let segmentSize = 1_460
    /// The most bytes of one connection that wait or travel; beyond it the sender is not read, give or take one read.
    ///
    /// More than any profile holds in a round trip, so that one connection alone can fill the line.
    static let sendWindow = 131_072

    private let kilobitsPerSecond: Int
    private let latency: Duration
    private let recovery: LossRecovery

    private var senders: [Int: Sender] = [:]
    /// The senders that have something to send, in the order of their turns.
    private var sendOrder: [Int] = []
    /// Whose turn was last.
    private var lastSender: Int?
    /// In order of arrival, which is that of departure.
    private var inFlight: [LinkSegment] = []
    private var idleAt = Duration.zero

    /// - Parameter kilobitsPerSecond: Segments hold the line one after the other at this rate; headers count for nothing.
    init(kilobitsPerSecond: Int, roundTrip: Duration, loss: Double) {
        self.kilobitsPerSecond = kilobitsPerSecond
        latency = roundTrip / 2
        recovery = LossRecovery(lossRate: loss, roundTrip: roundTrip)
    }

    /// When something happens next: whoever waits for arrivals looks again then, and not before.
    var nextEvent: Duration? {
        inFlight.first?.arrival ?? nextDeparture?.start
    }

    /// Whether the bytes of a connection that wait or travel are fewer than its window.
    func hasRoom(for connection: Int) -> Bool {
        senders[connection].map { $0.queuedBytes + $0.inFlightBytes < Self.sendWindow } ?? false
    }

    /// Lets a connection send.
    ///
    /// - Parameters:
    ///   - start: Nothing leaves before.
    ///   - luck: Decides which of its transmissions are lost, however connections take turns.
    mutating func open(_ connection: Int, from start: Duration, generator: SplitMix64) {
        senders[connection] = Sender(earliestDeparture: start, generator: generator)
    }

    /// Takes bytes of a connection that follow those it offered before.
    mutating func enqueue(_ bytes: Int, from connection: Int, at now: Duration) {
        updateSender(connection, at: now) { $0.queuedBytes += bytes }
    }

    /// Says that nothing more follows; it arrives as a segment without bytes, behind all others.
    mutating func end(_ connection: Int, at now: Duration) {
        updateSender(connection, at: now) { $0.hasPendingEnd = true }
    }

    /// Drops all that a connection has waiting or under way; only a segment that is just on the line holds it to its end.
    mutating func close(_ connection: Int, at now: Duration) {
        run(until: now)
        senders[connection] = nil
        sendOrder.removeAll { $0 == connection }
        inFlight.removeAll { $0.connection == connection }
    }

    /// Takes off what has arrived, in order.
    mutating func arrivals(by now: Duration) -> [LinkSegment] {
        run(until: now)
        let arrived = Array(inFlight.prefix { $0.arrival <= now })
        inFlight.removeFirst(arrived.count)
        for segment in arrived { senders[segment.connection]?.inFlightBytes -= segment.byteCount }
        return arrived
    }
}

// MARK: - Turns

extension SimplexLink {
    private struct Sender {
        /// Bytes that wait for their turn.
        var queuedBytes = 0
        /// Bytes that have left and not arrived.
        var inFlightBytes = 0
        /// Whether an end waits behind them.
        var hasPendingEnd = false
        var earliestDeparture: Duration
        var generator: SplitMix64
    }

    private mutating func updateSender(_ connection: Int, at now: Duration, _ change: (inout Sender) -> Void) {
        run(until: now)
        guard var sender = senders[connection] else { return }
        change(&sender)
        sender.earliestDeparture = max(sender.earliestDeparture, now)
        senders[connection] = sender
        if !sendOrder.contains(connection) { appendToSendOrder(connection) }
    }

    /// Gives a connection its place at the end, yet before the one that had the last turn: that one joins again when its segment has left.
    private mutating func appendToSendOrder(_ connection: Int) {
        let isLastWaiting = lastSender != nil && sendOrder.last == lastSender
        sendOrder.insert(connection, at: isLastWaiting ? sendOrder.count - 1 : sendOrder.count)
    }

    private mutating func run(until now: Duration) {
        while let (connection, start) = nextDeparture, start <= now { transmitSegment(of: connection, at: start) }
    }

    /// Whose turn is next, and when: the first in turn of those who may send as soon as anybody may.
    private var nextDeparture: (connection: Int, start: Duration)? {
        let ready = sendOrder.lazy.compactMap { id in senders[id].map { (id, max($0.earliestDeparture, idleAt)) } }
        return ready.min { $0.1 < $1.1 }
    }

    private mutating func transmitSegment(of connection: Int, at start: Duration) {
        guard var sender = senders[connection] else { return }
        let bytes = min(sender.queuedBytes, Self.segmentSize)
        let departure = start + transmissionTime(of: bytes)
        idleAt = departure
        lastSender = connection
        if let delay = recovery.delay(queuedBytes: sender.queuedBytes - bytes, generator: &sender.generator) {
            sender.earliestDeparture = departure + delay
        } else {
            sender.queuedBytes -= bytes
            sender.inFlightBytes += bytes
            if bytes == 0 { sender.hasPendingEnd = false }
            inFlight.append(LinkSegment(connection: connection, byteCount: bytes, departure: departure, arrival: departure + latency))
        }
        senders[connection] = sender
        sendOrder.removeAll { $0 == connection }
        if sender.queuedBytes > 0 || sender.hasPendingEnd { sendOrder.append(connection) }
    }

    private func transmissionTime(of bytes: Int) -> Duration {
        .nanoseconds(bytes * 8_000_000 / kilobitsPerSecond)
    }
}
