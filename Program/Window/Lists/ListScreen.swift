/// The screen of a list: also handles the page's reports of the rows in view, and of the search and sort.
protocol ListScreen: WindowScreen {
    func setViewport(_ report: ViewportReport)
    /// Sets the search and sort; by default there are none.
    func setQuery(_ query: RequestedQuery)
    /// Loads all rows for the search or sort, or stops that; by default does nothing.
    func loadAllRows(_ all: Bool)
    /// Retries a row that failed; by default the screen as a whole.
    func retry(_ row: RowID)
}

extension ListScreen {
    func setQuery(_ query: RequestedQuery) {}

    func loadAllRows(_ all: Bool) {}

    func retry(_ row: RowID) { retry() }

    func retry(rowNamed row: String) {
        if let row = RowID(row) { retry(row) }
    }
}
