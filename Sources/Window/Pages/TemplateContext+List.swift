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
        let why: String?
        let range: String?
        /// What stands under the title in place of the time.
        let note: String?
        /// When the list was last fetched with success, in milliseconds since 1970.
        let at: Int?
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
        var shared = 0
        let window: String
        let list: Int
        let count: Int
        /// What is told to screen readers: -1 while the end of the list is not known.
        let size: Int
        let from: Int
        let rows: [Row]
        let refresh: Reload
        /// What stands behind the last row.
        let foot: Foot?
        let plain: Bool
        let previousURL: String?
        let nextURL: String?
        let texts: PlainTexts

        /// - Parameters:
        ///   - window: The id of the session; nil for a plain page.
        ///   - hasNext: Whether there are more rows behind these.
        init(
            screen: String, query: ListQuery, heading: String, label: String, searchHint: String, sorts: [Sort], busy: Bool,
            problem: PageProblem?,
            range: String?, note: String?, at: Int?, empty: String?, window: String?, list: Int, count: Int, size: Int? = nil, from: Int,
            rows: [Row], hasNext: Bool, foot: Foot? = nil, texts: PlainTexts
        ) {
            let isPlain = window == nil
            (self.screen, path, self.heading, self.label, self.searchHint) = (screen, query.path, heading, label, searchHint)
            (self.busy, error, why) = (busy, problem?.text, problem?.details)
            (self.range, self.note, self.at, self.empty) = (range, note, at, empty)
            first = FirstLoad(busy: busy, count: count, at: at)
            role = rows.isEmpty ? "region" : "feed"
            search = query.wish.search ?? ""
            let choice = Sort.choice(of: sorts, chosen: query.wish.sort, orNone: isPlain ? texts.sortNone : nil)
            self.sorts = isPlain ? choice : Sort.turning(choice)
            sort = choice.first { $0.isOn }?.value ?? ""
            (self.window, self.list, self.count, self.size, self.from) = (window ?? "", list, count, size ?? count, from)
            (self.rows, self.foot, self.texts, plain) = (rows, foot, texts, isPlain)
            refresh = Reload(action: query.path, fields: isPlain ? query.fields(from: from) : [])
            let range = from..<from + rows.count
            previousURL = isPlain ? query.previousURL(before: range) : nil
            nextURL = isPlain && hasNext ? query.nextURL(behind: range) : nil
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
        init(busy: Bool, count: Int, at: Int?) {
            loading = busy && count == 0 && at == nil
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
        var turned: Turned?

        /// The other end of a sort.
        struct Turned: TemplateFields {
            let value: String
            let text: String
            /// Whether the button shows its second end, and another press takes the sort back.
            let isSecond: Bool
        }

        /// The buttons with the chosen one on.
        ///
        /// - Parameter none: What the button says that sorts by nothing; nil leaves it out.
        static func choice(of sorts: [Sort], chosen: String?, orNone none: String?) -> [Sort] {
            let known = sorts.contains { $0.value == chosen }
            let last = none.map { [Sort(value: "", icon: "orders", text: $0, isOn: !known)] } ?? []
            return sorts.map { sort in
                var sort = sort
                sort.isOn = sort.value == chosen
                return sort
            } + last
        }

        /// One button in place of the two of a sort that has two ends. It shows the end that is on, and another press turns it over.
        static func turning(_ sorts: [Sort]) -> [Sort] {
            sorts.compactMap { sort in
                guard let other = sorts.first(where: { $0.value == sort.opposite || $0.opposite == sort.value }) else { return sort }
                guard sort.isOn || !other.isOn && sort.opposite != nil else { return nil }
                var button = sort
                button.turned = Turned(value: other.value, text: other.text, isSecond: sort.opposite == nil)
                return button
            }
        }
    }

    /// What stands behind the last row of a list.
    struct Foot: TemplateFields {
        /// `loading`, `end` or `more`.
        let state: String
        let text: String
    }
}
