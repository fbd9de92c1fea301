/// A link that all connections share: when each of their bytes arrives on the other side.
///
/// Times are counted from the moment it was laid. What it does not simulate: congestion control, headers, reordering.
struct Link {
    /// Which way bytes go.
    enum Direction: Int, CaseIterable {
        /// From the client to the server.
        case up
        /// From the server to the client.
        case down

        var opposite: Direction { self == .up ? .down : .up }
    }

    private let roundTrip: Duration
    private let seed: UInt64
    private var up: SimplexLink
    private var down: SimplexLink

    /// - Parameter seed: The same seed loses the same segments of the same connections.
    init(_ profile: LinkProfile, seed: UInt64) {
        roundTrip = profile.roundTrip
        self.seed = seed
        up = SimplexLink(kilobitsPerSecond: profile.up, roundTrip: profile.roundTrip, loss: profile.loss)
        down = SimplexLink(kilobitsPerSecond: profile.down, roundTrip: profile.roundTrip, loss: profile.loss)
    }

    /// When something happens next.
    var nextEvent: Duration? {
        [up.nextEvent, down.nextEvent].compactMap { $0 }.min()
    }

    func hasRoom(for connection: Int, _ direction: Direction) -> Bool {
        direction == .up ? up.hasRoom(for: connection) : down.hasRoom(for: connection)
    }

    /// Sets up a connection: the client may send when its SYN has been answered, the server when it has seen that SYN.
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

    /// Ends one direction of a connection; the other goes on.
    mutating func end(_ connection: Int, _ direction: Direction, at now: Duration) {
        change(direction) { $0.end(connection, at: now) }
    }

    /// Drops a connection in both directions: what it had queued takes no more time of the line.
    mutating func close(_ connection: Int, at now: Duration) {
        up.close(connection, at: now)
        down.close(connection, at: now)
    }

    /// Takes off what has arrived, each direction in order.
    mutating func arrivals(by now: Duration) -> [(direction: Direction, segment: LinkSegment)] {
        up.arrivals(by: now).map { (.up, $0) } + down.arrivals(by: now).map { (.down, $0) }
    }

    private mutating func change<Value>(_ direction: Direction, _ body: (inout SimplexLink) -> Value) -> Value {
        direction == .up ? body(&up) : body(&down)
    }
}
