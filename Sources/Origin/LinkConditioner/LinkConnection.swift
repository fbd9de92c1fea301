import NIOCore

/// Both sides of one connection across a link, and the bytes between them.
struct LinkConnection {
    private let client: any Channel
    private let server: any Channel
    /// Read on one side, not yet written on the other.
    private var (up, down) = (ByteBuffer(), ByteBuffer())
    /// The directions that their sender has ended.
    private var endedDirections: Set<Link.Direction> = []
    /// The directions whose receiver knows that they have ended.
    private var deliveredEnds: Set<Link.Direction> = []
    /// The directions whose sender has closed its socket.
    private var closedDirections: Set<Link.Direction> = []

    init(client: any Channel, server: any Channel) {
        self.client = client
        self.server = server
    }

    /// The side that sends in this direction.
    func source(of direction: Link.Direction) -> any Channel {
        direction == .up ? client : server
    }

    /// Takes note that the side that sends in a direction is gone; true when both are.
    mutating func markClosed(_ direction: Link.Direction) -> Bool {
        closedDirections.insert(direction)
        return closedDirections.count == Link.Direction.allCases.count
    }

    /// Whether the side that receives in this direction takes what it is sent.
    func canWrite(_ direction: Link.Direction) -> Bool {
        source(of: direction.opposite).isWritable
    }

    /// Takes note that a direction was ended; false when that is known.
    mutating func markEnded(_ direction: Link.Direction) -> Bool {
        endedDirections.insert(direction).inserted
    }

    /// Whether the side that receives in this direction has been told that nothing more comes.
    func hasDelivered(endOf direction: Link.Direction) -> Bool {
        deliveredEnds.contains(direction)
    }

    mutating func buffer(_ bytes: ByteBuffer, _ direction: Link.Direction) {
        change(direction) { kept in
            kept.discardReadBytes()  // A connection that lives long keeps no more than its window.
            kept.writeImmutableBuffer(bytes)
        }
    }

    /// The bytes kept for a segment that has arrived; nil for an end, of which it takes note.
    mutating func consume(_ segment: LinkSegment, _ direction: Link.Direction) -> ByteBuffer? {
        guard !segment.isEnd else {
            deliveredEnds.insert(direction)
            return nil
        }
        guard let bytes = change(direction, { $0.readSlice(length: segment.byteCount) }) else {
            preconditionFailure("More arrived than was sent.")
        }
        return bytes
    }

    /// Hands bytes to the side that receives in this direction, or ends it.
    func write(_ bytes: ByteBuffer?, _ direction: Link.Direction) {
        let destination = source(of: direction.opposite)
        guard let bytes else { return destination.close(mode: .output, promise: nil) }
        destination.writeAndFlush(bytes, promise: nil)
    }

    /// Closes both sides, whatever they still have to say.
    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }

    @discardableResult
    private mutating func change<Value>(_ direction: Link.Direction, _ body: (inout ByteBuffer) -> Value) -> Value {
        direction == .up ? body(&up) : body(&down)
    }
}
