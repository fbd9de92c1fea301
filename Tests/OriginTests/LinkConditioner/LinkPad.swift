@testable import Origin

/// What is put on a line in a test, in bytes and milliseconds.
enum LinkDeed {
    /// Bytes of a connection, at a time.
    case offer(Int, from: Int, at: Int)
    case end(Int, at: Int)
    case close(Int, at: Int)

    var time: Int {
        switch self {
        case .offer(_, _, let time), .end(_, let time), .close(_, let time): time
        }
    }
}

/// A segment in bytes and milliseconds.
struct Crossing: Hashable, CustomStringConvertible {
    var (connection, bytes, departs, arrives): (Int, Int, Int, Int)

    init(_ connection: Int, _ bytes: Int, departs: Int, arrives: Int) {
        (self.connection, self.bytes, self.departs, self.arrives) = (connection, bytes, departs, arrives)
    }

    init(_ segment: LinkSegment) {
        self.init(segment.connection, segment.bytes, departs: segment.departs.inMilliseconds, arrives: segment.arrives.inMilliseconds)
    }

    var description: String { "\(connection): \(bytes) B, departs \(departs), arrives \(arrives)" }
}

/// A line on which a byte takes a millisecond, and whose ends are a tenth of a second apart.
struct LinkPad {
    var line: LinkLine

    init(connections: Int = 3, loss: Double = 0, seed: UInt64 = 1, openFrom: Int = 0) {
        line = LinkLine(kilobitsPerSecond: 8, roundTrip: .milliseconds(200), loss: loss)
        for id in 1...connections { line.open(id, from: .milliseconds(openFrom), luck: SplitMix64(seed: seed, stream: id)) }
    }

    mutating func perform(_ deed: LinkDeed) {
        let now = Duration.milliseconds(deed.time)
        switch deed {
        case .offer(let bytes, let connection, _): line.offer(bytes, from: connection, at: now)
        case .end(let connection, _): line.end(connection, at: now)
        case .close(let connection, _): line.close(connection, at: now)
        }
    }

    /// Performs these deeds, and takes off arrivals only when the line says so.
    mutating func run(_ deeds: [LinkDeed]) -> [Crossing] {
        var crossings: [Crossing] = []
        for deed in deeds {
            crossings += rest(until: .milliseconds(deed.time))
            perform(deed)
        }
        return crossings + rest(until: nil)
    }

    /// Goes from event to event up to a moment, or until nothing is left.
    private mutating func rest(until end: Duration?) -> [Crossing] {
        var crossings: [Crossing] = []
        while let next = line.nextEvent, end.map({ next <= $0 }) ?? true {
            crossings += line.arrivals(by: next).map { Crossing($0) }
        }
        return crossings
    }
}

extension Duration {
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
