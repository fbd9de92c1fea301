/// The context of the list template, for any kind of rows.
extension TemplateContext {
    struct List<Row: TemplateFields>: TemplateFields {
        let backURL = "/"
        /// The name of the screen, with which the page opens its stream.
        let screen: String
        let path: String
        let heading: String
        /// The label of the list.
        let label: String
        /// The ARIA role of the list; a `feed` must contain articles.
        let role: String
        let busy: Bool
        let first: FirstLoad
        let error: String?
        /// The technical details of the error.
        let errorDetails: String?
        let range: String?
        /// The note under the title in place of the time.
        let note: String?
        /// The time of the last successful fetch, in milliseconds since 1970.
        let fetchedAt: Int?
        /// The message of an empty list.
        let empty: String?
        let search: String
        let searchHint: String
        let sorts: [Sort]
        /// The value of the selected sort; empty for none.
        let sort: String
        /// The time of a page that the worker stores without showing it, in milliseconds since 1970; nil for others.
        var storedAt: Int?
        /// The point that distances are measured from while the position of the user is unknown.
        var near: String?
        /// The id of the person whose list it is; nil for everybody's.
        var person: String?
        /// The texts of the steps of an order, as JSON, for the script of a person's list.
        var stepTexts: String?
        /// The links to the other lists of the person.
        var tabs: [Tab] = [] {
            didSet { hasTabs = !tabs.isEmpty }
        }
        private(set) var hasTabs = false
        /// The number of trailing address parts that all rows share and omit.
        var sharedAddressParts = 0
        let sessionID: String
        let list: Int
        let count: Int
        /// The value of `aria-setsize`: -1 while the end of the list is unknown.
        let size: Int
        let from: Int
        let rows: [Row]
        let refresh: Reload
        /// The text after the last row.
        let footer: Footer?
        let plain: Bool
        let previousURL: String?
        let nextURL: String?
        let texts: LocalizedStrings

        /// - Parameters:
        ///   - sessionID: The id of the session; nil for a plain page.
        ///   - hasNext: Whether there are more rows after these.
        init(
            screen: String, query: ListQuery, heading: String, label: String, searchHint: String, sorts: [Sort], busy: Bool,
            problem: PageProblem?,
            range: String?, note: String?, fetchedAt: Int?, empty: String?, sessionID: String?, list: Int, count: Int, size: Int? = nil,
            from: Int,
            rows: [Row], hasNext: Bool, footer: Footer? = nil, texts: LocalizedStrings
        ) {
            let isPlain = sessionID == nil
            (self.screen, path, self.heading, self.label, self.searchHint) = (screen, query.path, heading, label, searchHint)
            (self.busy, error, errorDetails) = (busy, problem?.text, problem?.details)
            (self.range, self.note, self.fetchedAt, self.empty) = (range, note, fetchedAt, empty)
            first = FirstLoad(busy: busy, count: count, fetchedAt: fetchedAt)
            role = rows.isEmpty ? "region" : "feed"
            search = query.requestedQuery.search ?? ""
            let choice = Sort.options(sorts, selected: query.requestedQuery.sort, noneLabel: isPlain ? texts.sortNone : nil)
            self.sorts = isPlain ? choice : Sort.mergingDirections(choice)
            sort = choice.first { $0.isOn }?.value ?? ""
            (self.sessionID, self.list, self.count, self.size, self.from) = (sessionID ?? "", list, count, size ?? count, from)
            (self.rows, self.footer, self.texts, plain) = (rows, footer, texts, isPlain)
            refresh = Reload(action: query.path, fields: isPlain ? query.fields(from: from) : [])
            let range = from..<from + rows.count
            previousURL = isPlain ? query.previousURL(before: range) : nil
            nextURL = isPlain && hasNext ? query.nextURL(after: range) : nil
        }
    }

    /// A link to a list.
    struct Tab: TemplateFields {
        let href: String
        let text: String
        let isCurrent: Bool
    }

    /// The state of a list that is loaded for the first time, with its skeletons.
    struct FirstLoad: TemplateFields {
        /// The number of skeletons: more than a phone has space for, in a list and in a grid.
        private static let skeletonCount = 18

        struct Placeholder: TemplateFields {}

        let loading: Bool
        /// The state of the status bar until the script runs: `loading`, `busy` or `ready`.
        let status: String
        let skeletons: [Placeholder]

        /// - Parameters:
        ///   - count: The number of rows that can be shown.
        ///   - fetchedAt: The time of the last successful fetch, in milliseconds since 1970; nil before the first.
        init(busy: Bool, count: Int, fetchedAt: Int?) {
            loading = busy && count == 0 && fetchedAt == nil
            status = loading ? "loading" : busy ? "busy" : "ready"
            skeletons = loading ? Array(repeating: Placeholder(), count: Self.skeletonCount) : []
        }
    }

    /// A radio button of a sort.
    struct Sort: TemplateFields {
        let value: String
        let icon: String
        let text: String
        var isOn = false
        /// The value of the opposite sort.
        var opposite: String?
        /// The label of the reversed sort; nil when it has one direction.
        var reversedSort: ReversedSort?

        /// The reversed direction of a sort.
        struct ReversedSort: TemplateFields {
            let value: String
            let text: String
            /// Whether the button shows its reversed direction, and the next click clears the sort.
            let isReversed: Bool
        }

        /// Returns the buttons with the selected one on.
        ///
        /// - Parameter none: The label of the button without a sort; nil omits it.
        static func options(_ sorts: [Sort], selected: String?, noneLabel none: String?) -> [Sort] {
            let known = sorts.contains { $0.value == selected }
            let last = none.map { [Sort(value: "", icon: "orders", text: $0, isOn: !known)] } ?? []
            return sorts.map { sort in
                var sort = sort
                sort.isOn = sort.value == selected
                return sort
            } + last
        }

        /// Returns one button for each pair of opposite sorts. It shows the selected direction, and the next click reverses it.
        static func mergingDirections(_ sorts: [Sort]) -> [Sort] {
            sorts.compactMap { sort in
                guard let other = sorts.first(where: { $0.value == sort.opposite || $0.opposite == sort.value }) else { return sort }
                guard sort.isOn || !other.isOn && sort.opposite != nil else { return nil }
                var button = sort
                button.reversedSort = ReversedSort(value: other.value, text: other.text, isReversed: sort.opposite == nil)
                return button
            }
        }
    }

    /// The text after the last row of a list.
    struct Footer: TemplateFields {
        /// The state: `loading`, `end` or `more`.
        let state: String
        let text: String
    }
}
