import Testing

@testable import LadingOperations

@Suite struct SlotTableTests {
    private struct Parcel: SlotElement {
        var number: Int

        mutating func vacate() { number = 0 }
    }

    private enum Shelf {}

    private var table = SlotTable<Parcel, Shelf>()

    @Test mutating func `An id never means what later lies in its place`() {
        let first = table.insert(Parcel(number: 1))
        table.remove(first)

        let second = table.insert(Parcel(number: 2))

        #expect(!table.contains(first))
        #expect(table[second].number == 2)
    }

    @Test mutating func `A crowd that has gone leaves little to copy`() {
        let ids = (0..<10_000).map { table.insert(Parcel(number: $0)) }

        for id in ids { table.remove(id) }

        #expect(table.count == 0)
        #expect(table.capacity < 1_100)
    }

    @Test mutating func `Who stays keeps its place while a crowd comes and goes`() {
        let early = table.insert(Parcel(number: 7))
        var crowd = (0..<5_000).map { table.insert(Parcel(number: $0)) }
        let late = table.insert(Parcel(number: 8))

        for id in crowd { table.remove(id) }
        let newcomers = (0..<5_000).map { table.insert(Parcel(number: -$0)) }

        #expect(table[early].number == 7)
        #expect(table[late].number == 8)
        #expect(crowd.allSatisfy { !table.contains($0) })
        #expect(newcomers.enumerated().allSatisfy { table[$1].number == -$0 })
        crowd = []
    }

    @Test mutating func `No id of a place that was given back means the place made anew`() {
        let crowd = (0..<4_000).map { table.insert(Parcel(number: $0)) }
        for id in crowd { table.remove(id) }

        let newcomers = (0..<4_000).map { table.insert(Parcel(number: $0)) }

        #expect(crowd.allSatisfy { !table.contains($0) })
        #expect(Set(newcomers).count == 4_000)
    }
}
