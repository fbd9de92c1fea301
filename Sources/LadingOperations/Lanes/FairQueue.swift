/// The ready flights of one lane and one urgency: viewers take turns, and of each viewer the nearest comes first.
///
/// Each turn costs a viewer one round; the viewer in the lowest round is next, and one that comes in starts in the round that is being served
/// (start-time fair queueing with equal costs: P. Goyal et al., SIGCOMM 1996). A viewer with a thousand flights thus delays one with a single
/// flight by one turn.
///
/// An entry is never moved. A flight whose claim changes is pushed again under a new stamp; entries that are not live any more are skipped
/// when they surface, and cleared out when they outnumber the live ones.
struct FairQueue: Sendable {
    struct Entry: Prioritized {
        /// From the middle of the viewport, in rows.
        var distance: Int
        var arrival: UInt64
        var stamp: UInt32
        var flight: FlightID

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

    private var lines: [OperationViewer: PriorityHeap<Entry>] = [:]
    /// One for each viewer that has a line.
    private var turns = PriorityHeap<Turn>()
    private var round: UInt64 = 0
    private var turnsGiven: UInt64 = 0
    private var count = 0
    /// How many entries are live.
    var live = 0

    mutating func push(_ entry: Entry, for viewer: OperationViewer) {
        count += 1
        if lines[viewer]?.push(entry) == nil {
            lines[viewer] = PriorityHeap()
            lines[viewer]?.push(entry)
            giveTurn(to: viewer, in: round)
        }
        live += 1
    }

    /// Takes out the flight whose turn it is.
    mutating func popFirst(isLive: (Entry) -> Bool) -> FlightID? {
        while let turn = turns.popFirst() {
            let entry = takeEntry(of: turn.viewer, isLive: isLive)
            if let entry {
                round = max(round, turn.round)
                giveTurn(to: turn.viewer, in: turn.round + 1)
                live -= 1
                return entry.flight
            }
            lines[turn.viewer] = nil
        }
        return nil
    }

    /// Whether enough entries are not live to be worth clearing out.
    var needsTidying: Bool { count > 2 * live + 64 }

    /// Clears out entries that are not live, when there are enough of them to be worth it.
    mutating func tidy(isLive: (Entry) -> Bool) {
        guard needsTidying else { return }
        count = 0
        for viewer in lines.keys {
            lines[viewer]?.keep(isLive)
            count += lines[viewer]?.count ?? 0
        }
    }

    private mutating func takeEntry(of viewer: OperationViewer, isLive: (Entry) -> Bool) -> Entry? {
        while let entry = lines[viewer]?.popFirst() {
            count -= 1
            if isLive(entry) { return entry }
        }
        return nil
    }

    private mutating func giveTurn(to viewer: OperationViewer, in round: UInt64) {
        turnsGiven += 1
        turns.push(Turn(round: round, number: turnsGiven, viewer: viewer))
    }
}
