import NIOCore

/// The connections of a link on one event loop. It reads as much as the link accepts, and writes segments on arrival.
///
/// The event loop provides its clock and its isolation: all methods are called on it. All decisions are those of `Link`.
final class LinkForwarder {
    /// The maximum number of connections; further ones are closed immediately.
    static let connectionLimit = 1_024

    private let eventLoop: any EventLoop
    private let startTime: NIODeadline
    private var link: Link
    private var connections: [Int: LinkConnection] = [:]
    private var lastConnection = 0
    private var timer: (time: Duration, timer: Scheduled<Void>)?
    private var isShutDown = false

    init(_ link: Link, on eventLoop: any EventLoop) {
        self.link = link
        self.eventLoop = eventLoop
        startTime = eventLoop.now
    }

    /// Adds the connection between a client and the server.
    ///
    /// - Throws: `ChannelError` when the forwarder accepts no more connections; it closes the server's channel.
    func addConnection(_ client: any Channel, _ server: any Channel) throws {
        guard !isShutDown, connections.count < Self.connectionLimit else {
            server.close(promise: nil)
            throw ChannelError.ioOnClosedChannel
        }
        lastConnection += 1
        let id = lastConnection
        try client.pipeline.syncOperations.addHandler(LinkChannelHandler(of: id, sending: .up, to: self))
        try server.pipeline.syncOperations.addHandler(LinkChannelHandler(of: id, sending: .down, to: self))
        connections[id] = LinkConnection(client: client, server: server)
        link.open(id, at: now)
        client.closeFuture.assumeIsolated().whenComplete { _ in self.closed(id, .up) }
        server.closeFuture.assumeIsolated().whenComplete { _ in self.closed(id, .down) }
        read(id, .down)
    }

    /// Drops all connections and rejects new ones.
    func shutdown() {
        isShutDown = true
        for id in connections.keys { drop(id) }
    }
}

// MARK: - Socket events

extension LinkForwarder {
    /// Reads from the sender of a direction, if the link and the receiver accept more.
    func read(_ id: Int, _ direction: Link.Direction) {
        guard let connection = connections[id], link.hasRoom(for: id, direction), connection.canWrite(direction) else { return }
        connection.source(of: direction).read()
    }

    func received(_ bytes: ByteBuffer, _ id: Int, _ direction: Link.Direction) {
        guard bytes.readableBytes > 0 else { return }
        connections[id]?.buffer(bytes, direction)
        link.enqueue(bytes.readableBytes, from: id, direction, at: now)
        scheduleTimer()
    }

    /// Ends a direction whose sender has closed its output.
    func inputClosed(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.markEnded(direction) == true else { return }
        link.end(id, direction, at: now)
        scheduleTimer()
    }

    /// Handles the close of a sender's socket, which is orderly if the end of the opposite direction was delivered to it.
    ///
    /// Such a socket reports only the close, no end of its own. The bytes that it sent before still cross the link.
    private func closed(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.hasDelivered(endOf: direction.opposite) == true else { return drop(id) }
        inputClosed(id, direction)
        if connections[id]?.markClosed(direction) == true { drop(id) }
    }

    /// Removes a connection with its queued bytes, and closes both sides.
    private func drop(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        link.close(id, at: now)
        connection.close()
        scheduleTimer()
    }
}

// MARK: - Timing

extension LinkForwarder {
    /// The time since the link's creation.
    private var now: Duration { .nanoseconds((eventLoop.now - startTime).nanoseconds) }

    private func scheduleTimer() {
        let time = link.nextEvent
        guard time != timer?.time else { return }
        timer?.timer.cancel()
        timer = time.map { time in
            let deadline = startTime + TimeAmount(time)
            return (time, eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.deliver() })
        }
    }

    /// Writes a segment. Sockets call back during writes, so the connection is stored first.
    private func write(_ segment: LinkSegment, _ direction: Link.Direction) {
        guard var connection = connections[segment.connection] else { return }
        let bytes = connection.consume(segment, direction)
        connections[segment.connection] = connection
        connection.write(bytes, direction)
    }

    private func deliver() {
        timer = nil
        for (direction, segment) in link.receivedSegments(by: now) {
            write(segment, direction)
            read(segment.connection, direction)
        }
        scheduleTimer()
    }
}
