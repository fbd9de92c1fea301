import LadingTransfers

// block 1

#if canImport(SwiftUI)
    // block 2
#endif

func load(_ bookURL: URL, _ coverURL: URL, _ archiveURL: URL, to file: URL, with client: BackendClient) async throws {
    // block 3
    print(book.title, cover.count)
}
