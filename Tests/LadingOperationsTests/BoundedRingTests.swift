import LadingOperations
import Testing

@Suite struct BoundedRingTests {
    /// A ring that the numbers from zero on were appended to.
    private func ring(limit: Int, total: Int) -> BoundedRing<Int> {
        var ring = BoundedRing<Int>(limit: limit)
        for number in 0..<total { ring.append(number) }
        return ring
    }

    @Test(arguments: 1...4) func `The newest elements are kept, oldest first, however often the ring wraps`(limit: Int) {
        for total in 0...3 * limit + 1 {
            let ring = ring(limit: limit, total: total)

            #expect(ring.total == total)
            #expect(ring.elements() == Array(max(0, total - limit)..<total), "after \(total) elements")
        }
    }

    @Test(arguments: 1...4) func `Of the kept elements those after a count are returned`(limit: Int) {
        for total in 0...3 * limit + 1 {
            let ring = ring(limit: limit, total: total)

            for count in 0...total + 2 {
                let expected = Array(0..<total).suffix(limit).filter { $0 >= count }
                #expect(ring.elements(after: count) == expected, "after \(count) of \(total) elements")
            }
        }
    }

    @Test func `A ring without room counts elements, and keeps none`() {
        let ring = ring(limit: 0, total: 3)

        #expect(ring.total == 3)
        #expect(ring.elements() == [])
        #expect(ring.elements(after: 2) == [])
    }
}
