import LadingOperations
import Testing

@Suite struct RingBufferTests {
    /// Returns a ring buffer to which the numbers from 0 on were appended.
    private func buffer(limit: Int, total: Int) -> RingBuffer<Int> {
        var buffer = RingBuffer<Int>(limit: limit)
        for number in 0..<total { buffer.append(number) }
        return buffer
    }

    @Test(arguments: 1...4) func `The buffer retains the newest elements, oldest first`(limit: Int) {
        for total in 0...3 * limit + 1 {
            let buffer = buffer(limit: limit, total: total)

            #expect(buffer.total == total)
            #expect(buffer.elements() == Array(max(0, total - limit)..<total), "after \(total) elements")
        }
    }

    @Test(arguments: 1...4) func `Elements after a count are returned`(limit: Int) {
        for total in 0...3 * limit + 1 {
            let buffer = buffer(limit: limit, total: total)

            for count in 0...total + 2 {
                let expected = Array(0..<total).suffix(limit).filter { $0 >= count }
                #expect(buffer.elements(after: count) == expected, "after \(count) of \(total) elements")
            }
        }
    }

    @Test func `A buffer with limit 0 counts elements and retains none`() {
        let buffer = buffer(limit: 0, total: 3)

        #expect(buffer.total == 3)
        #expect(buffer.elements() == [])
        #expect(buffer.elements(after: 2) == [])
    }
}
