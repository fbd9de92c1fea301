// block 1

nonisolated struct BookEntry: Decodable, Identifiable, Sendable {
    let isbn: String

    var id: String { isbn }
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
