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
        queue.push(.init(distance: distance, arrival: arrivals, stamp: 0, flight: flight), for: OperationViewer(number: UInt32(viewer)))
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
}
