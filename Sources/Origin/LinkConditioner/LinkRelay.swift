import NIOCore

/// The connections of a link on one event loop: reads what there is room for, and writes what has arrived.
///
/// The event loop is its clock and its lock: everything here is called on it. All decisions are those of `Link`.
final class LinkRelay {
    /// The most connections at once; further ones are closed at once.
    static let connectionLimit = 1_024

    private let eventLoop: any EventLoop
    private let laidAt: NIODeadline
    private var link: Link
    private var connections: [Int: LinkConnection] = [:]
    private var lastConnection = 0
    private var alarm: (time: Duration, timer: Scheduled<Void>)?
    private var isTakenDown = false

    init(_ link: Link, on eventLoop: any EventLoop) {
        self.link = link
        self.eventLoop = eventLoop
        laidAt = eventLoop.now
    }

    /// Joins a client to the server that it was connected to.
    ///
    /// - Throws: `ChannelError` when the link takes no more; the server is closed then.
    func join(_ client: any Channel, _ server: any Channel) throws {
        guard !isTakenDown, connections.count < Self.connectionLimit else {
            server.close(promise: nil)
            throw ChannelError.ioOnClosedChannel
        }
        lastConnection += 1
        let id = lastConnection
        try client.pipeline.syncOperations.addHandler(LinkEnd(of: id, sending: .up, to: self))
        try server.pipeline.syncOperations.addHandler(LinkEnd(of: id, sending: .down, to: self))
        connections[id] = LinkConnection(client: client, server: server)
        link.open(id, at: now)
        for channel in [client, server] {
            channel.closeFuture.assumeIsolated().whenComplete { _ in self.closed(id) }
        }
        read(id, .down)
    }

    /// Drops all connections, and takes no new ones.
    func takeDown() {
        isTakenDown = true
        for id in connections.keys { closed(id) }
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
        connections[id]?.keep(bytes, direction)
        link.offer(bytes.readableBytes, from: id, direction, at: now)
        setAlarm()
    }

    /// The side that sends in this direction has said all it had to say.
    func ended(_ id: Int, _ direction: Link.Direction) {
        link.end(id, direction, at: now)
        setAlarm()
    }

    /// One side is gone: what it had queued is dropped, and the other side is told.
    private func closed(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        link.close(id, at: now)
        connection.close()
        setAlarm()
    }
}

// MARK: - Time

extension LinkRelay {
    /// Since the link was laid.
    private var now: Duration { .nanoseconds((eventLoop.now - laidAt).nanoseconds) }

    private func setAlarm() {
        let time = link.nextEvent
        guard time != alarm?.time else { return }
        alarm?.timer.cancel()
        alarm = time.map { time in
            let deadline = laidAt + TimeAmount(time)
            return (time, eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.deliver() })
        }
    }

    private func deliver() {
        alarm = nil
        for (direction, segment) in link.arrivals(by: now) {
            connections[segment.connection]?.write(segment, direction)
            read(segment.connection, direction)
        }
        setAlarm()
    }
}
