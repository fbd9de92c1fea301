import Testing

@testable import LadingOperations

@Suite struct FairQueueTests {
    private var queue = FairQueue()
    private var table = SlotTable<Parcel, FlightTag>()
    private var owners: [FlightID: Int] = [:]
    private var arrivals: UInt64 = 0

    private struct Parcel: SlotElement {
        mutating func vacate() {}
    }

    private mutating func push(for viewer: Int, distance: Int = 0) {
        let flight = table.insert(Parcel())
        owners[flight] = viewer
        arrivals += 1
        queue.push(
            .init(distance: distance, arrival: arrivals, subject: .flight(flight, stamp: 0)), for: OperationViewer(number: UInt32(viewer)))
    }

    private mutating func popViewers() -> [Int] {
        var viewers: [Int] = []
        while let flight = queue.popFirst(isLive: { _ in true }) { viewers.append(owners[flight] ?? -1) }
        return viewers
    }

    /// Few lines are looked at one by one, many are looked up.
    @Test(arguments: [2, 8, 9, 40]) mutating func `Viewers take turns, however many there are`(count: Int) {
        for _ in 0..<3 { for viewer in 0..<count { push(for: viewer) } }

        let viewers = popViewers()

        #expect(viewers == Array(repeating: Array(0..<count), count: 3).flatMap { $0 })
        #expect(queue.live == 0)
    }

    @Test mutating func `Viewers come and go without mixing up their lines`() {
        for viewer in 0..<12 { push(for: viewer) }
        for _ in 0..<6 { push(for: 3) }
        for viewer in 20..<26 { push(for: viewer) }

        let viewers = popViewers()
        for viewer in 0..<4 { push(for: viewer) }

        #expect(viewers.sorted() == (Array(0..<12) + Array(repeating: 3, count: 6) + Array(20..<26)).sorted())
        #expect(popViewers().sorted() == [0, 1, 2, 3])
    }

    private mutating func stand(_ ticket: UInt32, for viewer: UInt32 = 0, distance: Int = 0) {
        arrivals += 1
        queue.push(
            .init(distance: distance, arrival: arrivals, subject: .operation(Ticket(place: ticket))), for: OperationViewer(number: viewer))
    }

    /// The tickets of all that stand in line, as their turns come; -1 for a flight.
    private mutating func takeAll() -> [Int] {
        var tickets: [Int] = []
        while let (entry, _) = queue.next() {
            if case .operation(let ticket) = entry.subject { tickets.append(Int(ticket.place)) } else { tickets.append(-1) }
            queue.takeNext()
        }
        return tickets
    }

    @Test mutating func `An operation that was called out of the line is passed over`() {
        for ticket in 0..<5 { stand(UInt32(ticket)) }

        queue.call(arrivedAt: 1)
        queue.call(arrivedAt: 4)

        #expect(queue.live == 3)
        #expect(takeAll() == [1, 2, 4])
        #expect(queue.live == 0)
    }

    @Test mutating func `A line full of operations that were called is tidied`() {
        for ticket in 0..<200 { stand(UInt32(ticket)) }
        for arrival in 1...195 { queue.call(arrivedAt: UInt64(arrival)) }

        #expect(queue.needsTidying)
        queue.tidy { _ in false }

        #expect(!queue.needsTidying)
        #expect(takeAll() == [195, 196, 197, 198, 199])
    }

    @Test mutating func `All operations are taken out of the line, and the flights stay`() {
        stand(0, for: 1)
        push(for: 2)
        stand(1, for: 2)
        stand(2, for: 3)
        queue.call(arrivedAt: 4)

        let taken = queue.takeOperations()

        #expect(taken.map(\.viewer.number) == [1, 2])
        #expect(queue.live == 1)
        #expect(takeAll() == [-1])
    }
}
