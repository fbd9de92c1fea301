import SeededNumbers

@testable import Origin

/// An action on a link, in bytes and milliseconds.
enum LinkAction {
    /// Enqueues bytes of a connection at a time.
    case enqueue(Int, from: Int, at: Int)
    case end(Int, at: Int)
    case close(Int, at: Int)

    var time: Int {
        switch self {
        case .enqueue(_, _, let time), .end(_, let time), .close(_, let time): time
        }
    }
}

/// A transmitted segment, in bytes and milliseconds.
struct Transmission: Hashable, CustomStringConvertible {
    var (connection, bytes, departs, arrives): (Int, Int, Int, Int)

    init(_ connection: Int, _ bytes: Int, departs: Int, arrives: Int) {
        (self.connection, self.bytes, self.departs, self.arrives) = (connection, bytes, departs, arrives)
    }

    init(_ segment: LinkSegment) {
        self.init(
            segment.connection, segment.byteCount, departs: segment.sendTime.inMilliseconds, arrives: segment.receiveTime.inMilliseconds)
    }

    var description: String { "\(connection): \(bytes) B, departs \(departs), arrives \(arrives)" }
}

/// A directed link with one byte per millisecond and a latency of 100 ms.
struct DirectedLinkHarness {
    var link: DirectedLink

    init(connections: Int = 3, loss: Double = 0, seed: UInt64 = 1, openFrom: Int = 0) {
        link = DirectedLink(kilobitsPerSecond: 8, roundTrip: .milliseconds(200), loss: loss)
        for id in 1...connections { link.open(id, from: .milliseconds(openFrom), generator: SplitMix64(seed: seed, stream: id)) }
    }

    mutating func perform(_ action: LinkAction) {
        let now = Duration.milliseconds(action.time)
        switch action {
        case .enqueue(let bytes, let connection, _): link.enqueue(bytes, from: connection, at: now)
        case .end(let connection, _): link.end(connection, at: now)
        case .close(let connection, _): link.close(connection, at: now)
        }
    }

    /// Performs actions, collecting arrivals only at the events that the link announces.
    mutating func run(_ actions: [LinkAction]) -> [Transmission] {
        var transmissions: [Transmission] = []
        for action in actions {
            transmissions += drain(until: .milliseconds(action.time))
            perform(action)
        }
        return transmissions + drain(until: nil)
    }

    /// Advances from event to event up to a time, or until none is left.
    private mutating func drain(until end: Duration?) -> [Transmission] {
        var transmissions: [Transmission] = []
        while let next = link.nextEvent, end.map({ next <= $0 }) ?? true {
            transmissions += link.receivedSegments(by: next).map { Transmission($0) }
        }
        return transmissions
    }
}

extension Duration {
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
