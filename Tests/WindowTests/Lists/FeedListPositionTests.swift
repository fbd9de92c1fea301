import Testing

@testable import LadingFeeds
@testable import Window

/// The positions of a page in its lists, as tables. A row is a character, a list is a text.
@Suite struct FeedListPositionTests {
    private struct Row: Identifiable, Sendable {
        let id: Character
    }

    private typealias Position = FeedListPosition<Row>

    private func list(_ rows: String, revision: Int) -> FeedList<Row> {
        var list = FeedList(snapshot: FeedSnapshot(rows.map(Row.init)), state: .loaded)
        list.revision = revision
        return list
    }

    private func report(_ visible: Range<Int>, of list: String = "1", seq: Int = 1) -> ViewportReport {
        ViewportReport(list: list, seq: seq, first: visible.lowerBound, last: visible.upperBound - 1, rowsPerSecond: nil, landing: nil)
    }

    /// Returns the position of a page that was rendered with the list `abcdefgh`, and has reported rows of it.
    private func acknowledged(_ visible: Range<Int>) throws -> Position {
        var position = Position(in: FeedSnapshot(), first: 0..<2, topRow: nil)
        position.didRender(list("abcdefgh", revision: 1), isAcknowledged: true)
        let acknowledged = position.acknowledge(report(visible), columns: 1)
        return try #require(acknowledged)
    }

    /// Replaces the list, at the place of the pending row, or of the nearest row; otherwise at the top.
    private func replace(_ position: inout Position, with rows: String, countsNewRows: Bool = true) {
        let list = list(rows, revision: (position.revision ?? 0) + 1)
        let place = position.placeOfPendingRow(in: list.snapshot) ?? position.placeOfNearestRow(in: list.snapshot)
        position.replaceList(with: list, at: place ?? (.top, position.viewport.atTop), countsNewRows: countsNewRows)
    }

    /// Returns the anchor, the first row in view and the number of new rows.
    private func text(_ position: Position) -> String {
        let anchor = position.eventAnchor.map { "\($0.row ?? "no row") at \($0.index)" } ?? "top"
        return "\(anchor), \(position.viewport.visible), \(position.newRowCount) new"
    }

    // MARK: Reports

    @Test(arguments: [("1", 2, true), ("1", 1, false), ("1", 0, false), ("2", 2, false), ("", 2, false)])
    func `A report counts if it is later than the last one and about the list that was sent`(
        list: String, seq: Int, isApplied: Bool
    ) throws {
        var position = try acknowledged(0..<2)

        let applied = position.acknowledge(report(4..<6, of: list, seq: seq), columns: 3)

        #expect((applied != nil) == isApplied)
        #expect(position.viewport == (isApplied ? Viewport(visible: 4..<6, columns: 3) : Viewport(visible: 0..<2)))
    }

    @Test func `No report counts before a list was sent`() {
        var position = Position(in: FeedSnapshot(), first: 3..<5, topRow: nil)

        let applied = position.acknowledge(report(0..<2, of: "0"), columns: 1)

        #expect(applied == nil)
        #expect(text(position) == "no row at 3, 3..<5, 0 new")
    }

    @Test func `A list that is not fetched is not rendered`() {
        var position = Position(in: FeedSnapshot(), first: 3..<5, topRow: "x")

        position.didRender(FeedList(snapshot: FeedSnapshot(), state: .loading), isAcknowledged: true)

        #expect(position.revision == nil && position.pendingAnchor == .row("x"))
    }

    // MARK: Another list

    @Test(arguments: [
        ("abcdefgh", "d at 3, 3..<5, 0 new"), ("xyabcdefgh", "d at 5, 5..<7, 2 new"), ("xdefgh", "d at 1, 1..<3, 1 new"),
        ("hgfedcba", "d at 4, 4..<6, 0 new"), ("abcefgh", "e at 3, 2..<4, 0 new"), ("abc", "c at 2, 3..<5, 0 new"),
        ("xyz", "top, 0..<2, 0 new"), ("", "top, 0..<2, 0 new"),
    ])
    func `The first row in view, or its nearest neighbour, is the anchor in another list`(rows: String, expected: String) throws {
        var position = try acknowledged(3..<5)

        replace(&position, with: rows)

        #expect(text(position) == expected)
        #expect(!position.isAcknowledged)
    }

    @Test func `A pending row remains the anchor, and new rows add up until a report`() throws {
        var position = try acknowledged(3..<5)
        replace(&position, with: "xabcdefgh")
        replace(&position, with: "xzefghabcd")
        #expect(text(position) == "d at 9, 9..<11, 2 new")

        let applied = position.acknowledge(report(8..<10, of: "3", seq: 2), columns: 1)
        #expect(applied?.newRowCount == 0)
        replace(&position, with: "wxzefghabcd")
        #expect(text(position) == "c at 9, 9..<11, 1 new")
    }

    @Test func `Rows of a query, and of the first list, are not new`() throws {
        var position = try acknowledged(3..<5)
        replace(&position, with: "xyabcdefgh", countsNewRows: false)
        #expect(text(position) == "d at 5, 5..<7, 0 new")

        var first = Position(in: FeedSnapshot(), first: 0..<2, topRow: "c")
        replace(&first, with: "abcdefgh")
        #expect(text(first) == "c at 2, 2..<4, 0 new")
    }

    @Test func `A list is replaced by another revision that was fetched`() throws {
        let position = try acknowledged(3..<5)

        #expect(!position.isReplaced(by: list("abcdefgh", revision: 1)))
        #expect(position.isReplaced(by: list("abcdefgh", revision: 2)))
        #expect(!position.isReplaced(by: FeedList(snapshot: FeedSnapshot(), state: .loading)))
    }

    // MARK: Invalidation

    @Test(arguments: [
        (3..<5, false, "d at 3"), (3..<5, true, "d at 3"), (0..<2, false, "a at 0"), (0..<2, true, "no row at 0"),
        (20..<22, false, "no row at 0"),
    ])
    func `A page of unknown content shows the first row in view, and a sorted one at the top whichever is first`(
        visible: Range<Int>, isSorted: Bool, anchor: String
    ) throws {
        var position = try acknowledged(visible)

        position.invalidate(isSorted: isSorted)

        #expect(text(position) == "\(anchor), \(visible), 0 new")
        #expect(!position.isAcknowledged)
    }

    @Test func `A page that has to scroll to the top still does after an invalidation, until it has`() throws {
        var position = try acknowledged(3..<5)
        replace(&position, with: "xyz")

        position.invalidate()
        #expect(position.pendingAnchor == .top)
        _ = position.acknowledge(report(0..<2, of: "2", seq: 2), columns: 1)
        position.invalidate()

        #expect(position.pendingAnchor == .row("x"))
    }

    @Test func `Versions of rows increase from list to list`() throws {
        var position = try acknowledged(3..<5)
        let first = position.markSent(3)

        replace(&position, with: "xyz")
        let second = position.markSent(0)

        #expect(second > first)
    }
}
