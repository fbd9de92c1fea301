import Testing

@testable import LadingFeeds

/// Tests of the fields of known rows as a value.
@Suite struct FieldIndexTests {
    private var index = FieldIndex<Int, String>()

    @Test mutating func `Fields are set, replaced, removed and counted`() {
        for id in 0..<10 { index.set("\(id)", of: id) }
        index.set("new", of: 7)
        index.remove([3, 3, 50])

        #expect(index.count == 9)
        #expect([index[3], index[7], index[8], index[50]] == [nil, "new", "8", nil])
        #expect(index.values.sorted() == ["0", "1", "2", "4", "5", "6", "8", "9", "new"])
        #expect(index.ids { $0 < 5 }.sorted() == [0, 1, 2, 4])
    }

    @Test mutating func `A copy has the fields that were known when it was made`() {
        index.set("a", of: 1)
        index.set("b", of: 2)
        let copy = index

        index.set("c", of: 1)
        index.remove([2])

        #expect([copy[1], copy[2]] == ["a", "b"])
        #expect([index[1], index[2]] == ["c", nil])
        #expect([copy.count, index.count] == [2, 1])
    }

    @Test mutating func `Fields are distributed evenly, so that a change copies a small part of them`() {
        let mean = 1_000
        for id in 0..<(mean * FieldIndex<Int, String>.partCount) { index.set("", of: id) }

        #expect(index.parts.allSatisfy { $0.count < 2 * mean })
    }
}
