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
        client.closeFuture.assumeIsolated().whenComplete { _ in self.closed(id, .up) }
        server.closeFuture.assumeIsolated().whenComplete { _ in self.closed(id, .down) }
        read(id, .down)
    }

    /// Drops all connections, and takes no new ones.
    func takeDown() {
        isTakenDown = true
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
        connections[id]?.keep(bytes, direction)
        link.offer(bytes.readableBytes, from: id, direction, at: now)
        setAlarm()
    }

    /// The side that sends in this direction has said all it had to say.
    func ended(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.end(direction) == true else { return }
        link.end(id, direction, at: now)
        setAlarm()
    }

    /// The side that sends in this direction is gone: in order, if it had been told that nothing more comes for it.
    ///
    /// Its socket does not report its own end then, only that it is closed; what it sent before still crosses the link.
    private func closed(_ id: Int, _ direction: Link.Direction) {
        guard connections[id]?.hasDelivered(endOf: direction.opposite) == true else { return drop(id) }
        ended(id, direction)
        if connections[id]?.close(direction) == true { drop(id) }
    }

    /// Forgets a connection and all it had queued, and closes both sides.
    private func drop(_ id: Int) {
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
