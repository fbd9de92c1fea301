import NIOCore

/// The connections of a link on one event loop: reads what there is room for, and writes what has arrived.
///
/// The event loop is its clock and its lock: everything here is called on it. All decisions are those of `Link`.
final class LinkRelay {
    /// The most connections at once; further ones are closed at once.
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

    /// Joins a client to the server that it was connected to.
    ///
    /// - Throws: `ChannelError` when the link takes no more; the server is closed then.
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

    /// Drops all connections, and takes no new ones.
    func shutdown() {
        isShutDown = true
        for id in connections.keys { drop(id) }
    }
}

// MARK: - What the ends report

extension LinkRelay {
    /// Reads from the side that sends in this direction, if there is room for what it has.
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

    /// The side that sends in this direction has said all it had to say.
    func inputClosed(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.markEnded(direction) == true else { return }
        link.end(id, direction, at: now)
        scheduleTimer()
    }

    /// The side that sends in this direction is gone: in order, if it had been told that nothing more comes for it.
    ///
    /// Its socket does not report its own end then, only that it is closed; what it sent before still crosses the link.
    private func closed(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.hasDelivered(endOf: direction.opposite) == true else { return drop(id) }
        inputClosed(id, direction)
        if connections[id]?.markClosed(direction) == true { drop(id) }
    }

    /// Forgets a connection and all it had queued, and closes both sides.
    private func drop(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        link.close(id, at: now)
        connection.close()
        scheduleTimer()
    }
}

// MARK: - Time

extension LinkRelay {
    /// Since the link was laid.
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

    /// Sockets report back while they are written to: nothing is being changed then.
    private func write(_ segment: LinkSegment, _ direction: Link.Direction) {
        guard var connection = connections[segment.connection] else { return }
        let bytes = connection.consume(segment, direction)
        connections[segment.connection] = connection
        connection.write(bytes, direction)
    }

    private func deliver() {
        timer = nil
        for (direction, segment) in link.arrivals(by: now) {
            write(segment, direction)
            read(segment.connection, direction)
        }
        scheduleTimer()
    }
}
