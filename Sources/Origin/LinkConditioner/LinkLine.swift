/// One direction of a link: a single line on which the segments of all connections take turns.
///
/// A segment waits for its turn, holds the line for as long as its bytes take, travels, and arrives. Times are counted from
/// the moment the link was laid, and never run backwards. The line costs nothing while nobody asks: `run(until:)` makes up
/// for the time that has passed, at the exact moments at which things would have happened.
///
/// A sender is idle → waiting (`offer`, `end`) → on the line → waiting or idle; `close` leads out of each.
struct LinkLine {
    /// The most bytes in one segment: what an Ethernet frame carries besides the headers of IP and TCP.
    static let segmentSize = 1_460
    /// The most bytes of one connection that wait or travel; beyond it the sender is not read, give or take one read.
    ///
    /// More than any profile holds in a round trip, so that one connection alone can fill the line.
    static let window = 131_072

    private let kilobitsPerSecond: Int
    private let latency: Duration
    private let recovery: LossRecovery

    private var senders: [Int: Sender] = [:]
    /// The senders that have something to send, in the order of their turns.
    private var turns: [Int] = []
    /// Whose turn was last.
    private var lastSender: Int?
    /// In order of arrival, which is that of departure.
    private var travelling: [LinkSegment] = []
    private var freeAt = Duration.zero

    /// - Parameter kilobitsPerSecond: Segments hold the line one after the other at this rate; headers count for nothing.
    init(kilobitsPerSecond: Int, roundTrip: Duration, loss: Double) {
        self.kilobitsPerSecond = kilobitsPerSecond
        latency = roundTrip / 2
        recovery = LossRecovery(share: loss, roundTrip: roundTrip)
    }

    /// When something happens next: whoever waits for arrivals looks again then, and not before.
    var nextEvent: Duration? {
        travelling.first?.arrives ?? nextDeparture?.start
    }

    /// Whether the bytes of a connection that wait or travel are fewer than its window.
    func hasRoom(for connection: Int) -> Bool {
        senders[connection].map { $0.waiting + $0.travelling < Self.window } ?? false
    }

    /// Lets a connection send.
    ///
    /// - Parameters:
    ///   - start: Nothing leaves before.
    ///   - luck: Decides which of its transmissions are lost, however connections take turns.
    mutating func open(_ connection: Int, from start: Duration, luck: SplitMix64) {
        senders[connection] = Sender(mayLeaveAt: start, luck: luck)
    }

    /// Takes bytes of a connection that follow those it offered before.
    mutating func offer(_ bytes: Int, from connection: Int, at now: Duration) {
        wait(connection, at: now) { $0.waiting += bytes }
    }

    /// Says that nothing more follows; it arrives as a segment without bytes, behind all others.
    mutating func end(_ connection: Int, at now: Duration) {
        wait(connection, at: now) { $0.isEnding = true }
    }

    /// Drops all that a connection has waiting or under way; only a segment that is just on the line holds it to its end.
    mutating func close(_ connection: Int, at now: Duration) {
        run(until: now)
        senders[connection] = nil
        turns.removeAll { $0 == connection }
        travelling.removeAll { $0.connection == connection }
    }

    /// Takes off what has arrived, in order.
    mutating func arrivals(by now: Duration) -> [LinkSegment] {
        run(until: now)
        let arrived = Array(travelling.prefix { $0.arrives <= now })
        travelling.removeFirst(arrived.count)
        for segment in arrived { senders[segment.connection]?.travelling -= segment.bytes }
        return arrived
    }
}

// MARK: - Turns

extension LinkLine {
    private struct Sender {
        /// Bytes that wait for their turn.
        var waiting = 0
        /// Bytes that have left and not arrived.
        var travelling = 0
        /// Whether an end waits behind them.
        var isEnding = false
        var mayLeaveAt: Duration
        var luck: SplitMix64
    }

    private mutating func wait(_ connection: Int, at now: Duration, _ change: (inout Sender) -> Void) {
        run(until: now)
        guard var sender = senders[connection] else { return }
        change(&sender)
        sender.mayLeaveAt = max(sender.mayLeaveAt, now)
        senders[connection] = sender
        if !turns.contains(connection) { queue(connection) }
    }

    /// Gives a connection its place at the end, yet before the one that had the last turn: that one joins again when its segment has left.
    private mutating func queue(_ connection: Int) {
        let isLastWaiting = lastSender != nil && turns.last == lastSender
        turns.insert(connection, at: isLastWaiting ? turns.count - 1 : turns.count)
    }

    private mutating func run(until now: Duration) {
        while let (connection, start) = nextDeparture, start <= now { depart(connection, at: start) }
    }

    /// Whose turn is next, and when: the first in turn of those who may send as soon as anybody may.
    private var nextDeparture: (connection: Int, start: Duration)? {
        let ready = turns.lazy.compactMap { id in senders[id].map { (id, max($0.mayLeaveAt, freeAt)) } }
        return ready.min { $0.1 < $1.1 }
    }

    private mutating func depart(_ connection: Int, at start: Duration) {
        guard var sender = senders[connection] else { return }
        let bytes = min(sender.waiting, Self.segmentSize)
        let departs = start + transmission(of: bytes)
        freeAt = departs
        lastSender = connection
        if let delay = recovery.delay(waiting: sender.waiting - bytes, luck: &sender.luck) {
            sender.mayLeaveAt = departs + delay
        } else {
            sender.waiting -= bytes
            sender.travelling += bytes
            if bytes == 0 { sender.isEnding = false }
            travelling.append(LinkSegment(connection: connection, bytes: bytes, departs: departs, arrives: departs + latency))
        }
        senders[connection] = sender
        turns.removeAll { $0 == connection }
        if sender.waiting > 0 || sender.isEnding { turns.append(connection) }
    }

    private func transmission(of bytes: Int) -> Duration {
        .nanoseconds(bytes * 8_000_000 / kilobitsPerSecond)
    }
}
