/// The parameters of a list in a URL: `/orders?search=…&sort=…&from=…`.
struct ListQuery {
    /// The number of rows in the HTML of a list.
    static let rowsPerPage = 30

    let path: String
    let requestedQuery: RequestedQuery
    /// The index of the first row.
    let from: Int

    init(_ path: String, _ query: String?) {
        let fields = FormFields(query ?? "")
        self.path = path
        requestedQuery = RequestedQuery(
            search: fields["search"].map(RequestedQuery.significantPart), sort: fields["sort"])
        from = fields["from"].flatMap { Int($0) }?.clampedToList ?? 0
    }

    /// Returns the URL of the plain page that begins at an index.
    func plainURL(from: Int) -> String {
        "\(path)?" + fields(from: from).map { "\($0.name)=\($0.value.percentEncodedComponent)" }.joined(separator: "&")
    }

    /// Returns the hidden fields of a form that shows the same list again.
    func fields(from: Int) -> [TemplateContext.Field] {
        [
            ("plain", "1"), ("search", requestedQuery.search ?? ""), ("sort", requestedQuery.sort ?? ""),
            ("from", from == 0 ? "" : "\(from)"),
        ]
        .filter { !$0.1.isEmpty }.map { TemplateContext.Field(name: $0.0, value: $0.1) }
    }

    /// Returns the range of rows that a page shows.
    func range(of count: Int, isPlain: Bool) -> Range<Int> {
        let start = min(from, max(0, count - (isPlain ? 1 : Self.rowsPerPage)))
        return start..<min(count, start + Self.rowsPerPage)
    }

    /// Returns the URL of the page before a range; nil when there is none.
    func previousURL(before range: Range<Int>) -> String? {
        range.lowerBound > 0 ? plainURL(from: max(0, range.lowerBound - Self.rowsPerPage)) : nil
    }

    /// Returns the URL of the page after a range.
    func nextURL(after range: Range<Int>) -> String { plainURL(from: range.upperBound) }
}
