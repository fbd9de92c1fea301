// block 1

nonisolated struct BookEntry: Decodable, Identifiable, Sendable {
    let isbn: String

    var id: String { isbn }
}

nonisolated struct BookQuery: FeedQuery {
    var isDescending = false

    static func indexedFields(of book: Book) -> String { book.title }

    var isDefault: Bool { false }
    func matches(_ title: String) -> Bool { true }
    func isOrderedBefore(_ title: String, _ other: String) -> Bool { isDescending ? other < title : title < other }
}

func show(_ listURL: URL, _ client: BackendClient, _ queue: BackendQueue) {
    // block 2
    screen.start()
}

func showTitles(_ listURL: URL, _ client: BackendClient) {
    // block 3
    _ = titles
}

func showRows(_ listURL: URL, _ client: BackendClient) {
    // block 4
    _ = books
}

// block 5
