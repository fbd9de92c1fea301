import Foundation
import LadingFeeds
import LadingOperations
import LadingRecords
import LadingSQLite

nonisolated struct BookReference: Codable, Identifiable, Sendable {
    let id: Int
}

nonisolated struct Book: Codable, Sendable {
    let title: String
}

nonisolated struct BookFeed: Feed {
    func list() -> BackendOperation<[BookReference]> { BackendOperation("list", lane: .cpu) { [] } }
    func load(_ reference: BookReference) -> BackendOperation<Book> { BackendOperation("book", lane: .cpu) { Book(title: "") } }
}

nonisolated struct RoverManifest: Codable, Sendable {
    var name: String
}

func openArchive(at file: URL) async throws {
    // block 1
    print(cache)
    writing.cancel()
    await writing.value
    try store.close()
}

func exchange(_ manifest: RoverManifest, through records: RecordArchive) async -> RoverManifest? {
    // block 2
    return stored?.value
}
