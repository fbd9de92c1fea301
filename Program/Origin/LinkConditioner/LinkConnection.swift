import NIOCore

/// The sockets of one connection across a link, and the bytes in transit between them.
struct LinkConnection {
    private let client: any Channel
    private let server: any Channel
    /// The bytes read on one side and not yet written on the other.
    private var (up, down) = (ByteBuffer(), ByteBuffer())
    /// The directions ended by their sender.
    private var endedDirections: Set<Link.Direction> = []
    /// The directions whose end was delivered to the receiver.
    private var deliveredEnds: Set<Link.Direction> = []
    /// The directions whose sending socket is closed.
    private var closedDirections: Set<Link.Direction> = []

    init(client: any Channel, server: any Channel) {
        self.client = client
        self.server = server
    }

    /// Returns the side that sends in a direction.
    func source(of direction: Link.Direction) -> any Channel {
        direction == .up ? client : server
    }

    /// Marks the sender of a direction as closed. Returns true when both sides are.
    mutating func markClosed(_ direction: Link.Direction) -> Bool {
        closedDirections.insert(direction)
        return closedDirections.count == Link.Direction.allCases.count
    }

    /// Whether the receiver of a direction is writable.
    func canWrite(_ direction: Link.Direction) -> Bool {
        source(of: direction.opposite).isWritable
    }

    /// Marks a direction as ended. Returns false when it already was.
    mutating func markEnded(_ direction: Link.Direction) -> Bool {
        endedDirections.insert(direction).inserted
    }

    /// Whether the end of a direction was delivered to its receiver.
    func hasDelivered(endOf direction: Link.Direction) -> Bool {
        deliveredEnds.contains(direction)
    }

    mutating func buffer(_ bytes: ByteBuffer, _ direction: Link.Direction) {
        change(direction) { buffer in
            buffer.discardReadBytes()  // Bounds the memory of a long-lived connection to its window.
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the bytes of a segment that has arrived; nil for an end, which is recorded as delivered.
    mutating func consume(_ segment: LinkSegment, _ direction: Link.Direction) -> ByteBuffer? {
        guard !segment.isEnd else {
            deliveredEnds.insert(direction)
            return nil
        }
        guard let bytes = change(direction, { $0.readSlice(length: segment.byteCount) }) else {
            preconditionFailure("More bytes arrived than were sent.")
        }
        return bytes
    }

    /// Writes bytes to the receiver of a direction; nil closes its output.
    func write(_ bytes: ByteBuffer?, _ direction: Link.Direction) {
        let destination = source(of: direction.opposite)
        guard let bytes else { return destination.close(mode: .output, promise: nil) }
        destination.writeAndFlush(bytes, promise: nil)
    }

    /// Closes both sides and discards buffered bytes.
    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }

    @discardableResult
    private mutating func change<Value>(_ direction: Link.Direction, _ body: (inout ByteBuffer) -> Value) -> Value {
        direction == .up ? body(&up) : body(&down)
    }
}
