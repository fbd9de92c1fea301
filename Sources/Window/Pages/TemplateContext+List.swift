/// What the template of a list is rendered with, whatever it lists.
extension TemplateContext {
    struct List<Row: TemplateFields>: TemplateFields {
        let backURL = "/"
        /// The name of the screen, as the page tells it to open its stream anew.
        let screen: String
        let path: String
        let heading: String
        /// What the list is called.
        let label: String
        /// The ARIA role of the list: a feed without articles is none.
        let role: String
        let busy: Bool
        let first: FirstLoad
        let error: String?
        /// What the program says of the error.
        let errorDetails: String?
        let range: String?
        /// What stands under the title in place of the time.
        let note: String?
        /// When the list was last fetched with success, in milliseconds since 1970.
        let fetchedAt: Int?
        /// Why nothing is shown.
        let empty: String?
        let search: String
        let searchHint: String
        let sorts: [Sort]
        /// The value of the chosen sort; empty for none.
        let sort: String
        /// The point that distances are measured from while the position of the reader is unknown.
        var near: String?
        /// How many of the last parts of their addresses all rows share, which is left out in them.
        var sharedAddressParts = 0
        let window: String
        let list: Int
        let count: Int
        /// What is told to screen readers: -1 while the end of the list is not known.
        let size: Int
        let from: Int
        let rows: [Row]
        let refresh: Reload
        /// What stands behind the last row.
        let footer: Footer?
        let plain: Bool
        let previousURL: String?
        let nextURL: String?
        let texts: LocalizedStrings

        /// - Parameters:
        ///   - window: The id of the session; nil for a plain page.
        ///   - hasNext: Whether there are more rows behind these.
        init(
            screen: String, query: ListQuery, heading: String, label: String, searchHint: String, sorts: [Sort], busy: Bool,
            problem: PageProblem?,
            range: String?, note: String?, fetchedAt: Int?, empty: String?, window: String?, list: Int, count: Int, size: Int? = nil, from: Int,
            rows: [Row], hasNext: Bool, footer: Footer? = nil, texts: LocalizedStrings
        ) {
            let isPlain = window == nil
            (self.screen, path, self.heading, self.label, self.searchHint) = (screen, query.path, heading, label, searchHint)
            (self.busy, error, errorDetails) = (busy, problem?.text, problem?.details)
            (self.range, self.note, self.fetchedAt, self.empty) = (range, note, fetchedAt, empty)
            first = FirstLoad(busy: busy, count: count, fetchedAt: fetchedAt)
            role = rows.isEmpty ? "region" : "feed"
            search = query.requestedQuery.search ?? ""
            let choice = Sort.options(sorts, selected: query.requestedQuery.sort, noneLabel: isPlain ? texts.sortNone : nil)
            self.sorts = isPlain ? choice : Sort.mergingOpposites(choice)
            sort = choice.first { $0.isOn }?.value ?? ""
            (self.window, self.list, self.count, self.size, self.from) = (window ?? "", list, count, size ?? count, from)
            (self.rows, self.footer, self.texts, plain) = (rows, footer, texts, isPlain)
            refresh = Reload(action: query.path, fields: isPlain ? query.fields(from: from) : [])
            let range = from..<from + rows.count
            previousURL = isPlain ? query.previousURL(before: range) : nil
            nextURL = isPlain && hasNext ? query.nextURL(after: range) : nil
        }
    }

    /// Whether a list is fetched for the first time, and what stands in its place until its rows are known.
    struct FirstLoad: TemplateFields {
        /// The number of places for rows: more than a phone has room for, in a list and in a grid.
        private static let skeletonCount = 18

        struct Skeleton: TemplateFields {}

        let loading: Bool
        /// The state of the bar until the script runs: `loading`, `busy` or `ready`.
        let status: String
        let skeletons: [Skeleton]

        /// - Parameters:
        ///   - count: The number of rows that can be shown.
        ///   - at: When the list was last fetched with success; nil when it never was.
        init(busy: Bool, count: Int, fetchedAt: Int?) {
            loading = busy && count == 0 && fetchedAt == nil
            status = loading ? "loading" : busy ? "busy" : "ready"
            skeletons = loading ? Array(repeating: Skeleton(), count: Self.skeletonCount) : []
        }
    }

    /// A radio button that sorts.
    struct Sort: TemplateFields {
        let value: String
        let icon: String
        let text: String
        var isOn = false
        /// The value of the same sort from its other end.
        var opposite: String?
        /// The label of the reversed sort; nil when it has one direction.
        var reversedSort: ReversedSort?

        /// The other end of a sort.
        struct ReversedSort: TemplateFields {
            let value: String
            let text: String
            /// Whether the button shows its second end, and another press takes the sort back.
            let isReversed: Bool
        }

        /// The buttons with the chosen one on.
        ///
        /// - Parameter none: What the button says that sorts by nothing; nil leaves it out.
        static func options(_ sorts: [Sort], selected: String?, noneLabel none: String?) -> [Sort] {
            let known = sorts.contains { $0.value == selected }
            let last = none.map { [Sort(value: "", icon: "orders", text: $0, isOn: !known)] } ?? []
            return sorts.map { sort in
                var sort = sort
                sort.isOn = sort.value == selected
                return sort
            } + last
        }

        /// One button in place of the two of a sort that has two ends. It shows the end that is on, and another press turns it over.
        static func mergingOpposites(_ sorts: [Sort]) -> [Sort] {
            sorts.compactMap { sort in
                guard let other = sorts.first(where: { $0.value == sort.opposite || $0.opposite == sort.value }) else { return sort }
                guard sort.isOn || !other.isOn && sort.opposite != nil else { return nil }
                var button = sort
                button.reversedSort = ReversedSort(value: other.value, text: other.text, isReversed: sort.opposite == nil)
                return button
            }
        }
    }

    /// What stands behind the last row of a list.
    struct Footer: TemplateFields {
        /// `loading`, `end` or `more`.
        let state: String
        let text: String
    }
}
