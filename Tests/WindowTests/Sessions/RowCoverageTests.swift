import Testing

@testable import Window

@Suite struct RowCoverageTests {
    private var coverage = RowCoverage()

    /// Asks for what is missing and sends it.
    private mutating func cover(_ visible: Range<Int>, of count: Int) -> [Int] {
        let missing = coverage.missing(around: visible, of: count)
        for index in missing { coverage.markSent(index) }
        return missing
    }

    @Test mutating func `The first viewport covers itself and four screens on either side`() {
        #expect(cover(100..<110, of: 1_000) == Array(60..<150))
    }

    @Test mutating func `A row is sent once while the page keeps it`() {
        _ = cover(100..<110, of: 1_000)

        #expect(cover(105..<115, of: 1_000) == Array(150..<155))
        #expect(cover(100..<110, of: 1_000) == [])
    }

    @Test mutating func `A row that was not known when it was missing is still missing`() {
        _ = coverage.missing(around: 0..<10, of: 10)
        coverage.markSent(3)

        #expect(coverage.missing(around: 0..<10, of: 10) == [0, 1, 2, 4, 5, 6, 7, 8, 9])
    }

    @Test mutating func `A row that the page has forgotten is sent again`() {
        _ = cover(0..<10, of: 10_000)
        _ = cover(5_000..<5_010, of: 10_000)

        #expect(cover(0..<10, of: 10_000) == Array(0..<50))
    }

    @Test mutating func `Nothing beyond the list is covered`() {
        #expect(cover(0..<10, of: 12) == Array(0..<12))
        #expect(cover(50..<60, of: 12) == [])
        #expect(cover(0..<10, of: 0) == [])
    }

    @Test mutating func `However large the viewport, what is sent for it is bounded`() {
        #expect(cover(1_000..<1_200, of: 10_000).count <= RowCoverage.rowLimit)
    }
}
