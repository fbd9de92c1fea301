import LadingRecords
import Testing
import TextComparison

@Suite struct RecordPlacementTests {
    private typealias Write = RecordPlacement.Write

    private func placement(
        _ ids: String, at start: Int, generation: Int = 2, isEnd: Bool = false, occupants: Set<Int> = [], known: [String: (Int, Int)] = [:]
    ) -> RecordPlacement {
        RecordPlacement(
            ids.map(String.init), in: start..<start + ids.count, generation: generation, isEnd: isEnd, occupied: occupants,
            existing: Dictionary(
                uniqueKeysWithValues: known.map { (BytewiseText($0), RecordPlacement.ExistingRow(place: $1.0, generation: $1.1)) }))
    }

    @Test func `New rows are inserted at their places in the page`() {
        let placement = placement("abc", at: 20)

        #expect(placement.inserted == [Write(0, at: 20), Write(1, at: 21), Write(2, at: 22)])
        #expect(placement.removed.isEmpty && placement.updated.isEmpty)
    }

    @Test func `Rows whose identities have other bytes are two`() {
        let placement = RecordPlacement(
            ["\u{E9}", "e\u{301}"], in: 0..<2, generation: 1, isEnd: false, occupied: [],
            existing: [BytewiseText("e\u{301}"): RecordPlacement.ExistingRow(place: 1, generation: 0)])

        #expect(placement.inserted == [Write(0, at: 0)] && placement.updated == [Write(1, at: 1)])
    }

    @Test func `A row of the same refresh preserves its place`() {
        let placement = placement("abc", at: 20, known: ["b": (3, 2)])

        #expect(placement.updated == [Write(1, at: 3)])
        #expect(placement.inserted == [Write(0, at: 20), Write(2, at: 22)])
        #expect(placement.removed.isEmpty)
    }

    @Test(arguments: [22, 45])
    func `A row of the last page moves into it from a place after it, where the same refresh stored it`(place: Int) {
        let placement = placement("ab", at: 20, isEnd: true, known: ["b": (place, 2)])

        #expect(placement.inserted == [Write(0, at: 20), Write(1, at: 21)])
        #expect(placement.removed == [place])
        #expect(placement.updated.isEmpty)
    }

    @Test func `A row of the last page preserves a place before it`() {
        let placement = placement("ab", at: 20, isEnd: true, known: ["b": (19, 2)])

        #expect(placement.inserted == [Write(0, at: 20)])
        #expect(placement.updated == [Write(1, at: 19)])
        #expect(placement.removed.isEmpty)
    }

    @Test func `A row of an older refresh moves to its place in the newer page`() {
        let placement = placement("ab", at: 0, known: ["b": (57, 1)])

        #expect(placement.inserted == [Write(0, at: 0), Write(1, at: 1)])
        #expect(placement.removed == [57])
    }

    @Test func `Rows missing from the page are removed, and the others retain or change their place`() {
        let placement = placement("bax", at: 0, occupants: [0, 1, 2], known: ["b": (0, 1), "a": (2, 1)])

        #expect(placement.updated == [Write(0, at: 0)])
        #expect(placement.inserted == [Write(1, at: 1), Write(2, at: 2)])
        #expect(placement.removed == [1, 2])
    }

    @Test func `A page that is stored again may have another order`() {
        let placement = placement("ba", at: 0, occupants: [0, 1], known: ["a": (0, 2), "b": (1, 2)])

        #expect(placement.inserted == [Write(0, at: 0), Write(1, at: 1)])
        #expect(placement.removed == [0, 1])
    }

    @Test func `A duplicate row has its first place and its last content`() {
        let placement = placement("aba", at: 0)

        #expect(placement.inserted == [Write(2, at: 0), Write(1, at: 1)])
    }
}
