import Foundation
import Lading
import LadingSQLite
import LadingTransfers

nonisolated struct Entry: Decodable, Identifiable, Sendable {
    let id: Int
    let url: URL
}

nonisolated struct Book: Decodable, Sendable {
    let title: String
}

func loadJSON(_ url: URL) async throws {
    // block 1
    print(book.title)
}

func download(_ url: URL, to file: URL) async throws {
    // block 2
}

@MainActor func makeFeed(_ listURL: URL, _ client: BackendClient, _ queue: BackendQueue) -> FeedModel<JSONFeed<Entry, Book>> {
    // block 3
    return model
}

#if canImport(SwiftUI)
    // block 4
#endif

func loadImage(_ url: URL, in directory: URL) async throws {
    // block 5
    print(bytes.count)
}

// block 6

@MainActor func makeList(_ url: URL, _ client: BackendClient, at file: URL) throws -> PagedListModel<Note> {
    // block 7
    return model
}

#if canImport(SwiftUI)
    // block 8
#endif
