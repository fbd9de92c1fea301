import SeededNumbers

/// A simulated link that all connections share, which determines the arrival time of their bytes.
///
/// Times are relative to the link's creation. Congestion control, headers and reordering are not simulated.
struct Link {
    /// The direction of a transfer.
    enum Direction: Int, CaseIterable {
        /// From the client to the server.
        case up
        /// From the server to the client.
        case down

        var opposite: Direction { self == .up ? .down : .up }
    }

    private let roundTrip: Duration
    private let seed: UInt64
    private var up: DirectedLink
    private var down: DirectedLink

    /// Creates a link.
    ///
    /// - Parameter seed: The seed of losses: equal seeds lose the same segments of the same connections.
    init(_ profile: LinkProfile, seed: UInt64) {
        roundTrip = profile.roundTrip
        self.seed = seed
        up = DirectedLink(kilobitsPerSecond: profile.up, roundTrip: profile.roundTrip, loss: profile.loss)
        down = DirectedLink(kilobitsPerSecond: profile.down, roundTrip: profile.roundTrip, loss: profile.loss)
    }

    /// The time of the next event.
    var nextEvent: Duration? {
        [up.nextEvent, down.nextEvent].compactMap { $0 }.min()
    }

    func hasRoom(for connection: Int, _ direction: Direction) -> Bool {
        direction == .up ? up.hasRoom(for: connection) : down.hasRoom(for: connection)
    }

    /// Opens a connection: the client may send one round trip after its SYN, the server half a round trip after it.
    mutating func open(_ connection: Int, at now: Duration) {
        for direction in Direction.allCases {
            let start = now + (direction == .up ? roundTrip : roundTrip / 2)
            let generator = SplitMix64(seed: seed, stream: connection * Direction.allCases.count + direction.rawValue)
            change(direction) { $0.open(connection, from: start, generator: generator) }
        }
    }

    mutating func enqueue(_ bytes: Int, from connection: Int, _ direction: Direction, at now: Duration) {
        change(direction) { $0.enqueue(bytes, from: connection, at: now) }
    }

    /// Ends one direction of a connection; the other stays open.
    mutating func end(_ connection: Int, _ direction: Direction, at now: Duration) {
        change(direction) { $0.end(connection, at: now) }
    }

    /// Closes a connection in both directions. Its queued bytes no longer occupy the link.
    mutating func close(_ connection: Int, at now: Duration) {
        up.close(connection, at: now)
        down.close(connection, at: now)
    }

    /// Removes and returns the segments that have arrived, in order within each direction.
    mutating func receivedSegments(by now: Duration) -> [(direction: Direction, segment: LinkSegment)] {
        up.receivedSegments(by: now).map { (.up, $0) } + down.receivedSegments(by: now).map { (.down, $0) }
    }

    private mutating func change<Value>(_ direction: Direction, _ body: (inout DirectedLink) -> Value) -> Value {
        direction == .up ? body(&up) : body(&down)
    }
}
