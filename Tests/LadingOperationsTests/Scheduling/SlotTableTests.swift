import Testing

@testable import LadingOperations

@Suite struct SlotTableTests {
    private struct TestElement: SlotElement {
        var number: Int

        mutating func clear() { number = 0 }
    }

    private enum TestTag {}

    private var table = SlotTable<TestElement, TestTag>()

    @Test mutating func `An ID never refers to a later element in the same slot`() {
        let first = table.insert(TestElement(number: 1))
        table.remove(first)

        let second = table.insert(TestElement(number: 2))

        #expect(!table.contains(first))
        #expect(table[second].number == 2)
    }

    @Test mutating func `Removing most elements shrinks the table`() {
        let ids = (0..<10_000).map { table.insert(TestElement(number: $0)) }

        for id in ids { table.remove(id) }

        #expect(table.count == 0)
        #expect(table.capacity < 1_100)
    }

    @Test mutating func `Remaining elements keep their IDs while many others are inserted and removed`() {
        let early = table.insert(TestElement(number: 7))
        var removed = (0..<5_000).map { table.insert(TestElement(number: $0)) }
        let late = table.insert(TestElement(number: 8))

        for id in removed { table.remove(id) }
        let inserted = (0..<5_000).map { table.insert(TestElement(number: -$0)) }

        #expect(table[early].number == 7)
        #expect(table[late].number == 8)
        #expect(removed.allSatisfy { !table.contains($0) })
        #expect(inserted.enumerated().allSatisfy { table[$1].number == -$0 })
        removed = []
    }

    @Test mutating func `IDs of slots that were freed never refer to slots allocated later`() {
        let removed = (0..<4_000).map { table.insert(TestElement(number: $0)) }
        for id in removed { table.remove(id) }

        let inserted = (0..<4_000).map { table.insert(TestElement(number: $0)) }

        #expect(removed.allSatisfy { !table.contains($0) })
        #expect(Set(inserted).count == 4_000)
    }
}
