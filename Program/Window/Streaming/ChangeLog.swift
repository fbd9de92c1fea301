import LadingFeeds

/// The changes of one page by event, from which an interrupted stream is brought up to date. A bounded synchronous value.
///
/// It stores identities, never content: rows are rendered when they are written, so that a page without a stream costs next to nothing, and
/// a slow one receives only the newest content.
struct ChangeLog<RowID: Hashable & Sendable>: Sendable {
    /// The changes between two events.
    struct Changes: Sendable {
        /// The id of the last event covered.
        var id: Int
        /// Whether the list or the detail as a whole has changed.
        var isScreenChanged: Bool
        var rows: [RowID]
    }

    /// The maximum number of rows with recorded changes, more than a page observes; a page that missed more receives everything again.
    static var rowLimit: Int { Viewport.rowLimit + 512 }

    private(set) var lastID = 0
    /// The last event whose changes were dropped.
    private var truncatedThrough = 0
    private var screenChangedAt = 0
    private var rowsChangedAt: [RowID: Int] = [:]

    mutating func recordScreenChange() {
        lastID += 1
        screenChangedAt = lastID
    }

    mutating func record(_ rows: some Collection<RowID>) {
        guard !rows.isEmpty else { return }
        lastID += 1
        for row in rows { rowsChangedAt[row] = lastID }
        if rowsChangedAt.count > Self.rowLimit { dropOlderHalf() }
    }

    /// Returns the changes after an event; nil when they were dropped, or the event is unknown.
    func changes(after id: Int) -> Changes? {
        guard truncatedThrough...lastID ~= id else { return nil }
        return Changes(
            id: lastID, isScreenChanged: screenChangedAt > id, rows: rowsChangedAt.lazy.filter { $0.value > id }.map(\.key))
    }

    private mutating func dropOlderHalf() {
        // The rows of the last event may be more than half of the rows.
        truncatedThrough = min(rowsChangedAt.values.sorted()[rowsChangedAt.count / 2], lastID - 1)
        rowsChangedAt = rowsChangedAt.filter { $0.value > truncatedThrough }
    }
}
