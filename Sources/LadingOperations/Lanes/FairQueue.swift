/// The ready flights of one lane and one urgency: viewers take turns, and of each viewer the nearest comes first.
///
/// Each turn costs a viewer one round; the viewer in the lowest round is next, and one that comes in starts in the round that is being served
/// (start-time fair queueing with equal costs: P. Goyal et al., SIGCOMM 1996). A viewer with a thousand flights thus delays one with a single
/// flight by one turn.
///
/// An entry is never moved. A flight whose claim changes is pushed again under a new stamp; entries that are not live any more are skipped
/// when they surface, and cleared out when they outnumber the live ones.
///
/// Of what stands far back a line may hold no more than the name: an operation that has no flight yet.
struct FairQueue: Sendable {
    struct Entry: Prioritized {
        enum Subject {
            case flight(FlightID, stamp: UInt32)
            /// One that gets its flight when its turn comes, or when it is called out of the line.
            case operation(Ticket)
        }

        /// From the middle of the viewport, in rows.
        var distance: Int
        /// No two entries of operations have the same.
        var arrival: UInt64
        var subject: Subject

        func precedes(_ other: Entry) -> Bool {
            distance == other.distance ? arrival < other.arrival : distance < other.distance
        }
    }

    private struct Turn: Prioritized {
        var round: UInt64
        /// Breaks ties in order of arrival.
        var number: UInt64
        var viewer: OperationViewer

        func precedes(_ other: Turn) -> Bool {
            round == other.round ? number < other.number : round < other.round
        }
    }

    private struct Line: Sendable {
        let viewer: OperationViewer
        var entries = PriorityHeap<Entry>()
    }

    /// Up to so many lines it is quicker to look at each than to look it up.
    private static let scannedLines = 8

    /// One for each viewer that has entries, and for some that had any lately.
    private var lines: [Line] = []
    /// Where the line of each viewer is, when there are many.
    private var places: [OperationViewer: Int] = [:]
    /// One for each line.
    private var turns = PriorityHeap<Turn>()
    private var round: UInt64 = 0
    private var turnsGiven: UInt64 = 0
    private var count = 0
    /// How many entries are live.
    var live = 0
    /// The arrivals of operations that were called out of their lines.
    private var called: Set<UInt64> = []

    mutating func push(_ entry: Entry, for viewer: OperationViewer) {
        count += 1
        live += 1
        if let place = place(of: viewer) { return lines[place].entries.push(entry) }
        addLine(for: viewer)
        lines[lines.count - 1].entries.push(entry)
        giveTurn(to: viewer, in: round)
    }

    /// The entry whose turn it is, and whose it is; it stays until it is taken or dropped. That of a flight may not be live any more.
    mutating func next() -> (entry: Entry, viewer: OperationViewer)? {
        while let viewer = turns.first?.viewer {
            let place = line(of: viewer)
            guard let entry = lines[place].entries.first else {
                _ = turns.popFirst()
                removeLine(at: place)
                continue
            }
            guard !called.isEmpty, isCalled(entry) else { return (entry, viewer) }
            called.remove(entry.arrival)
            dropNext()
        }
        return nil
    }

    /// An operation stands in line no more, since it has a flight.
    mutating func call(arrivedAt arrival: UInt64) {
        called.insert(arrival)
        live -= 1
    }

    /// Takes out all operations that have no flight.
    mutating func takeOperations() -> [(entry: Entry, viewer: OperationViewer)] {
        var taken: [(entry: Entry, viewer: OperationViewer)] = []
        for place in lines.indices {
            let viewer = lines[place].viewer
            lines[place].entries.keep { entry in
                guard case .operation = entry.subject else { return true }
                if !called.contains(entry.arrival) { taken.append((entry, viewer)) }
                return false
            }
        }
        count -= taken.count + called.count
        live -= taken.count
        called = []
        return taken
    }

    private func isCalled(_ entry: Entry) -> Bool {
        if case .operation = entry.subject { called.contains(entry.arrival) } else { false }
    }

    /// Takes out the entry whose turn it is, and gives its viewer another turn.
    mutating func takeNext() {
        guard let turn = turns.first else { return }
        _ = lines[line(of: turn.viewer)].entries.popFirst()
        count -= 1
        live -= 1
        round = max(round, turn.round)
        turnsGiven += 1
        turns.replaceFirst(with: Turn(round: turn.round + 1, number: turnsGiven, viewer: turn.viewer))
    }

    /// Drops the entry whose turn it is because it is not live; its viewer keeps the turn.
    mutating func dropNext() {
        guard let viewer = turns.first?.viewer else { return }
        _ = lines[line(of: viewer)].entries.popFirst()
        count -= 1
    }

    /// Takes out the flight whose turn it is; only where no operations stand in line.
    mutating func popFirst(isLive: (Entry) -> Bool) -> FlightID? {
        while let (entry, _) = next() {
            guard case .flight(let flight, _) = entry.subject, isLive(entry) else { dropNext(); continue }
            takeNext()
            return flight
        }
        return nil
    }

    /// Whether enough entries are not live to be worth clearing out.
    var needsTidying: Bool { count > 2 * live + 64 }

    /// Clears out entries that are not live, when there are enough of them to be worth it.
    ///
    /// - Parameter isLive: Whether that of a flight is.
    mutating func tidy(isLive: (Entry) -> Bool) {
        guard needsTidying else { return }
        count = 0
        for place in lines.indices {
            lines[place].entries.keep { entry in
                if case .operation = entry.subject { !called.contains(entry.arrival) } else { isLive(entry) }
            }
            count += lines[place].entries.count
        }
        called = []
    }

    private mutating func giveTurn(to viewer: OperationViewer, in round: UInt64) {
        turnsGiven += 1
        turns.push(Turn(round: round, number: turnsGiven, viewer: viewer))
    }

    // MARK: Lines

    /// The line of a viewer who has a turn.
    private func line(of viewer: OperationViewer) -> Int {
        // Proof: a line is removed only when its turn has been taken.
        guard let place = place(of: viewer) else { preconditionFailure("who has a turn has a line") }
        return place
    }

    private func place(of viewer: OperationViewer) -> Int? {
        guard lines.count <= Self.scannedLines else { return places[viewer] }
        for place in lines.indices where lines[place].viewer == viewer { return place }
        return nil
    }

    private mutating func addLine(for viewer: OperationViewer) {
        lines.append(Line(viewer: viewer))
        if lines.count == Self.scannedLines + 1 {
            for place in lines.indices { places[lines[place].viewer] = place }
        } else if lines.count > Self.scannedLines {
            places[viewer] = lines.count - 1
        }
    }

    private mutating func removeLine(at place: Int) {
        let viewer = lines[place].viewer
        lines.swapAt(place, lines.count - 1)
        lines.removeLast()
        guard lines.count > Self.scannedLines else { return places = [:] }
        places[viewer] = nil
        if place < lines.count { places[lines[place].viewer] = place }
    }
}
