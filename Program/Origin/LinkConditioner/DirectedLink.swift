import SeededNumbers

/// One direction of a link, which transmits the segments of all connections one at a time, round-robin.
///
/// A segment is queued, occupies the link for its transmission time, is in flight for the latency, and arrives. Times are relative to the link's
/// creation and monotonic. The simulation is lazy: `run(until:)` catches up on past events at their exact times.
///
/// A sender is idle → queued (`enqueue`, `end`) → transmitting → queued or idle; `close` removes it in any state.
struct DirectedLink {
    /// The maximum number of bytes per segment: the payload of an Ethernet frame without IP and TCP headers.
    static let segmentSize = 1_460
    /// The maximum number of queued and in-flight bytes of a connection. Beyond it the sender is not read; one read may exceed it.
    ///
    /// It exceeds the bandwidth-delay product of every profile, so that a single connection can saturate the link.
    static let sendWindow = 131_072

    private let kilobitsPerSecond: Int
    private let latency: Duration
    private let recovery: LossRecovery

    private var senders: [Int: Sender] = [:]
    /// The senders with bytes or an end to send, in round-robin order.
    private var sendOrder: [Int] = []
    /// The sender of the last segment.
    private var lastSender: Int?
    /// The segments in order of arrival, which equals that of departure.
    private var inFlight: [LinkSegment] = []
    private var idleAt = Duration.zero

    /// Creates a link.
    ///
    /// - Parameter kilobitsPerSecond: The rate at which segments are transmitted one after the other, not counting headers.
    init(kilobitsPerSecond: Int, roundTrip: Duration, loss: Double) {
        self.kilobitsPerSecond = kilobitsPerSecond
        latency = roundTrip / 2
        recovery = LossRecovery(lossRate: loss, roundTrip: roundTrip)
    }

    /// The time of the next event; nothing arrives before.
    var nextEvent: Duration? {
        inFlight.first?.receiveTime ?? nextSend?.start
    }

    /// Whether the queued and in-flight bytes of a connection are fewer than its window.
    func hasRoom(for connection: Int) -> Bool {
        senders[connection].map { $0.queuedBytes + $0.inFlightBytes < Self.sendWindow } ?? false
    }

    /// Opens a connection for sending.
    ///
    /// - Parameters:
    ///   - start: The earliest departure of a segment.
    ///   - generator: Determines which of its transmissions are lost, independently of other connections.
    mutating func open(_ connection: Int, from start: Duration, generator: SplitMix64) {
        senders[connection] = Sender(earliestDeparture: start, generator: generator)
    }

    /// Queues bytes of a connection behind those queued before.
    mutating func enqueue(_ bytes: Int, from connection: Int, at now: Duration) {
        updateSender(connection, at: now) { $0.queuedBytes += bytes }
    }

    /// Ends a connection. The end arrives as a segment without bytes, behind all others.
    mutating func end(_ connection: Int, at now: Duration) {
        updateSender(connection, at: now) { $0.hasPendingEnd = true }
    }

    /// Removes a connection with its queued and in-flight bytes. A segment in transmission occupies the link until its end.
    mutating func close(_ connection: Int, at now: Duration) {
        run(until: now)
        senders[connection] = nil
        sendOrder.removeAll { $0 == connection }
        inFlight.removeAll { $0.connection == connection }
    }

    /// Removes and returns the segments that have arrived, in order.
    mutating func receivedSegments(by now: Duration) -> [LinkSegment] {
        run(until: now)
        let arrived = Array(inFlight.prefix { $0.receiveTime <= now })
        inFlight.removeFirst(arrived.count)
        for segment in arrived { senders[segment.connection]?.inFlightBytes -= segment.byteCount }
        return arrived
    }
}

// MARK: - Scheduling

extension DirectedLink {
    private struct Sender {
        /// The bytes waiting for transmission.
        var queuedBytes = 0
        /// The bytes that have departed and not arrived.
        var inFlightBytes = 0
        /// Whether an end is queued behind them.
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

    /// Appends a connection to the round-robin order, before the last sender, whose segment has not departed yet.
    private mutating func appendToSendOrder(_ connection: Int) {
        let isLastWaiting = lastSender != nil && sendOrder.last == lastSender
        sendOrder.insert(connection, at: isLastWaiting ? sendOrder.count - 1 : sendOrder.count)
    }

    private mutating func run(until now: Duration) {
        while let (connection, start) = nextSend, start <= now { sendSegment(of: connection, at: start) }
    }

    /// The next sender and its departure time: the first in round-robin order among those that can send earliest.
    private var nextSend: (connection: Int, start: Duration)? {
        let ready = sendOrder.lazy.compactMap { id in senders[id].map { (id, max($0.earliestDeparture, idleAt)) } }
        return ready.min { $0.1 < $1.1 }
    }

    private mutating func sendSegment(of connection: Int, at start: Duration) {
        guard var sender = senders[connection] else { return }
        let bytes = min(sender.queuedBytes, Self.segmentSize)
        let departure = start + sendDuration(of: bytes)
        idleAt = departure
        lastSender = connection
        if let delay = recovery.delay(queuedBytes: sender.queuedBytes - bytes, generator: &sender.generator) {
            sender.earliestDeparture = departure + delay
        } else {
            sender.queuedBytes -= bytes
            sender.inFlightBytes += bytes
            if bytes == 0 { sender.hasPendingEnd = false }
            inFlight.append(LinkSegment(connection: connection, byteCount: bytes, sendTime: departure, receiveTime: departure + latency))
        }
        senders[connection] = sender
        sendOrder.removeAll { $0 == connection }
        if sender.queuedBytes > 0 || sender.hasPendingEnd { sendOrder.append(connection) }
    }

    private func sendDuration(of bytes: Int) -> Duration {
        .nanoseconds(bytes * 8_000_000 / kilobitsPerSecond)
    }
}
