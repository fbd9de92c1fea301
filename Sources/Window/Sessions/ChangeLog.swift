/// What has changed on one page, and since when: enough to bring a stream up to date that broke, whatever it missed.
///
/// It keeps identities, never content: what is sent is rendered when it is written, so that a page nobody reads costs next to nothing, and
/// one that reads slowly gets the newest content once. A synchronous value, bounded.
struct ChangeLog<RowID: Hashable & Sendable>: Sendable {
    /// What is to be sent to bring a page from one event to another.
    struct Changes: Sendable {
        /// The event that the page is at when all of it has been sent.
        var id: Int
        /// Whether the list or the detail itself is another one.
        var isScreenChanged: Bool
        var rows: [RowID]
    }

    /// The most rows whose changes are remembered; a page that missed more gets everything anew.
    static var rowLimit: Int { 512 }

    private(set) var lastID = 0
    /// Changes up to this one are forgotten.
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

    /// What changed after an event; nil when that is not known any more, or never was.
    func changes(after id: Int) -> Changes? {
        guard truncatedThrough...lastID ~= id else { return nil }
        return Changes(
            id: lastID, isScreenChanged: screenChangedAt > id, rows: rowsChangedAt.lazy.filter { $0.value > id }.map(\.key))
    }

    private mutating func dropOlderHalf() {
        truncatedThrough = rowsChangedAt.values.sorted()[rowsChangedAt.count / 2]
        rowsChangedAt = rowsChangedAt.filter { $0.value > truncatedThrough }
    }
}
