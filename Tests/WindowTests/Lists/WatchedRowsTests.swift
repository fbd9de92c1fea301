import Testing

@testable import Window

@Suite struct WatchedRowsTests {
    private var watchedRows = WatchedRows()
    /// The versions of rows other than 1, by index.
    private var versions: [Int: Int] = [:]
    private var latest = 1

    /// Returns the missing rows and marks them as sent.
    private mutating func cover(_ visible: Range<Int>, of count: Int) -> [Int] {
        let missing = watchedRows.missing(around: visible, of: count, latest: latest) { [versions] in versions[$0] ?? 1 }
        for index in missing { watchedRows.markSent(index) }
        return missing
    }

    private mutating func change(_ index: Int) {
        latest += 1
        versions[index] = latest
    }

    @Test mutating func `The first viewport covers itself and four screens on either side`() {
        #expect(cover(100..<110, of: 1_000) == Array(60..<150))
    }

    @Test mutating func `A row is sent once while the page retains it`() {
        _ = cover(100..<110, of: 1_000)

        #expect(cover(105..<115, of: 1_000) == Array(150..<155))
        #expect(cover(100..<110, of: 1_000) == [])
    }

    @Test mutating func `A row that was not sent is still missing`() {
        _ = watchedRows.missing(around: 0..<10, of: 10, latest: 1) { _ in 1 }
        watchedRows.markSent(3)

        #expect(watchedRows.missing(around: 0..<10, of: 10, latest: 1) { _ in 1 } == [0, 1, 2, 4, 5, 6, 7, 8, 9])
    }

    @Test mutating func `A row that the page has released is sent again`() {
        _ = cover(0..<10, of: 10_000)
        _ = cover(5_000..<5_010, of: 10_000)

        #expect(cover(0..<10, of: 10_000) == Array(0..<50))
    }

    @Test mutating func `Only rows that changed while they were unwatched are sent again`() {
        _ = cover(0..<10, of: 10_000)
        change(7)
        _ = cover(500..<510, of: 10_000)
        change(3)

        #expect(cover(0..<10, of: 10_000) == [3])
    }

    @Test func `The watched range is the sent range in whole blocks`() {
        #expect(WatchedRows.watched(around: 100..<110, of: 1_000) == 0..<192)
        #expect(WatchedRows.watched(around: 100..<110, of: 120) == 0..<120)
        #expect(WatchedRows.watched(around: 0..<0, of: 0) == 0..<0)
    }

    @Test mutating func `The rows sent for a viewport are bounded`() {
        #expect(cover(0..<200, of: 100_000).count <= WatchedRows.rowLimit)
    }
}
