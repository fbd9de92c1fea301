import LadingFeeds
import Testing

@Suite struct RecordPlacementTests {
    private typealias Write = RecordPlacement.Write

    private func placement(
        _ ids: String, at start: Int, generation: Int = 2, occupants: Set<Int> = [], known: [String: (Int, Int)] = [:]
    ) -> RecordPlacement {
        RecordPlacement(
            ids.map(String.init), in: start..<start + ids.count, generation: generation, occupants: occupants,
            known: known.mapValues { RecordPlacement.Known(place: $0.0, generation: $0.1) })
    }

    @Test func `Rows that are new lie where the page has them`() {
        let placement = placement("abc", at: 20)

        #expect(placement.inserted == [Write(0, at: 20), Write(1, at: 21), Write(2, at: 22)])
        #expect(placement.removed.isEmpty && placement.updated.isEmpty)
    }

    @Test func `A row of the same refresh stays where it was`() {
        let placement = placement("abc", at: 20, known: ["b": (3, 2)])

        #expect(placement.updated == [Write(1, at: 3)])
        #expect(placement.inserted == [Write(0, at: 20), Write(2, at: 22)])
        #expect(placement.removed.isEmpty)
    }

    @Test func `A row of an older refresh moves to where the newer has it`() {
        let placement = placement("ab", at: 0, known: ["b": (57, 1)])

        #expect(placement.inserted == [Write(0, at: 0), Write(1, at: 1)])
        #expect(placement.removed == [57])
    }

    @Test func `Rows that the page does not have make way, and those that it has keep their place or change it`() {
        let placement = placement("bax", at: 0, occupants: [0, 1, 2], known: ["b": (0, 1), "a": (2, 1)])

        #expect(placement.updated == [Write(0, at: 0)])
        #expect(placement.inserted == [Write(1, at: 1), Write(2, at: 2)])
        #expect(placement.removed == [1, 2])
    }

    @Test func `A page that came before may come again in another order`() {
        let placement = placement("ba", at: 0, occupants: [0, 1], known: ["a": (0, 2), "b": (1, 2)])

        #expect(placement.inserted == [Write(0, at: 0), Write(1, at: 1)])
        #expect(placement.removed == [0, 1])
    }

    @Test func `Of a row that is there twice the first place and the last content count`() {
        let placement = placement("aba", at: 0)

        #expect(placement.inserted == [Write(2, at: 0), Write(1, at: 1)])
    }
}
