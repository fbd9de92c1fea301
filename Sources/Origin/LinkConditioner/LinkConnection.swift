import NIOCore

/// Both sides of one connection across a link, and the bytes between them.
struct LinkConnection {
    private let client: any Channel
    private let server: any Channel
    /// Read on one side, not yet written on the other.
    private var (up, down) = (ByteBuffer(), ByteBuffer())

    init(client: any Channel, server: any Channel) {
        self.client = client
        self.server = server
    }

    /// The side that sends in this direction.
    func source(of direction: Link.Direction) -> any Channel {
        direction == .up ? client : server
    }

    /// Whether the side that receives in this direction takes what it is sent.
    func canWrite(_ direction: Link.Direction) -> Bool {
        source(of: direction.opposite).isWritable
    }

    mutating func keep(_ bytes: ByteBuffer, _ direction: Link.Direction) {
        _ = direction == .up ? up.writeImmutableBuffer(bytes) : down.writeImmutableBuffer(bytes)
    }

    /// Hands what has arrived to the side that receives in this direction: bytes kept before, or the end.
    mutating func write(_ segment: LinkSegment, _ direction: Link.Direction) {
        let destination = source(of: direction.opposite)
        guard !segment.isEnd else { return destination.close(mode: .output, promise: nil) }
        let bytes = direction == .up ? up.readSlice(length: segment.bytes) : down.readSlice(length: segment.bytes)
        guard let bytes else { preconditionFailure("More arrived than was sent.") }
        destination.writeAndFlush(bytes, promise: nil)
    }

    func close() {
        client.close(promise: nil)
        server.close(promise: nil)
    }
}
