import NIOCore

/// Both sides of one connection across a link, and the bytes between them.
struct LinkConnection {
    private let client: any Channel
    private let server: any Channel
    /// Read on one side, not yet written on the other.
    private var (up, down) = (ByteBuffer(), ByteBuffer())
    /// The directions that their sender has ended.
    private var ended: Set<Link.Direction> = []
    /// The directions whose receiver knows that they have ended.
    private var delivered: Set<Link.Direction> = []
    /// The directions whose sender has closed its socket.
    private var closed: Set<Link.Direction> = []

    init(client: any Channel, server: any Channel) {
        self.client = client
        self.server = server
    }

    /// The side that sends in this direction.
    func source(of direction: Link.Direction) -> any Channel {
        direction == .up ? client : server
    }

    /// Takes note that the side that sends in a direction is gone; true when both are.
    mutating func close(_ direction: Link.Direction) -> Bool {
        closed.insert(direction)
        return closed.count == Link.Direction.allCases.count
    }

    /// Whether the side that receives in this direction takes what it is sent.
    func canWrite(_ direction: Link.Direction) -> Bool {
        source(of: direction.opposite).isWritable
    }

    /// Takes note that a direction was ended; false when that is known.
    mutating func end(_ direction: Link.Direction) -> Bool {
        ended.insert(direction).inserted
    }

    /// Whether the side that receives in this direction has been told that nothing more comes.
    func hasDelivered(endOf direction: Link.Direction) -> Bool {
        delivered.contains(direction)
    }

    mutating func keep(_ bytes: ByteBuffer, _ direction: Link.Direction) {
        _ = direction == .up ? up.writeImmutableBuffer(bytes) : down.writeImmutableBuffer(bytes)
    }

    /// Hands what has arrived to the side that receives in this direction: bytes kept before, or the end.
    mutating func write(_ segment: LinkSegment, _ direction: Link.Direction) {
        let destination = source(of: direction.opposite)
        guard !segment.isEnd else {
            delivered.insert(direction)
            return destination.close(mode: .output, promise: nil)
        }
        let bytes = direction == .up ? up.readSlice(length: segment.bytes) : down.readSlice(length: segment.bytes)
        guard let bytes else { preconditionFailure("More arrived than was sent.") }
        destination.writeAndFlush(bytes, promise: nil)
    }

    /// Closes both sides, whatever they still have to say.
    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }
}
