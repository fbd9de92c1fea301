import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

// The code between the two markers is part of README.md, verbatim.
// ---- README
/// The reference of a book in the list, and the book that its row shows.
nonisolated struct BookReference: Decodable, Identifiable, Sendable {
    let id: Int
    let url: URL
}

nonisolated struct Book: Decodable, Sendable {
    let title: String
}

/// A feed of books: one request for the list, one for each row.
nonisolated struct BookFeed: Feed {
    let listURL: URL
    let client: BackendClient

    func list() -> BackendOperation<[BookReference]> {
        client.operation(BackendRequest(url: listURL, decoding: [BookReference].self))
    }

    func load(_ reference: BookReference) -> BackendOperation<Book> {
        client.operation(BackendRequest(url: reference.url, trust: .discovered(in: listURL), decoding: Book.self))
    }
}

/// Loads the visible rows and draws changes until its task is cancelled.
nonisolated(nonsending) func showBooks(
    at listURL: URL, through executor: any BackendExecutor, draw: (Int, FeedRowState<Book>) -> Void
) async {
    let feed = BookFeed(listURL: listURL, client: BackendClient(executor: executor))
    let screen = FeedController(feed: feed, cache: FeedCache<BookFeed>(), queue: BackendQueue())
    defer { screen.stop() }
    screen.start()
    screen.setViewport(Viewport(visible: 0..<12))  // and again whenever it scrolls
    for await update in screen.updates {
        for id in update.rows { draw(id, screen.state(of: id)) }
    }
}
// ---- README

@Suite struct ReadmeExample {
    @Test func `The README example draws every row in view and reports failures`() async throws {
        let executor = ScriptedExecutor()
        executor.script(
            "http://example.org/books",
            .response(text: #"[{"id": 1, "url": "http://example.org/1"}, {"id": 2, "url": "http://example.org/2"}]"#))
        executor.script("http://example.org/1", .response(text: #"{"title": "Moby-Dick"}"#))
        let list = try #require(URL(string: "http://example.org/books"))
        let (endings, ended) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))

        let showing = Task {
            await showBooks(at: list, through: executor) { id, state in
                switch state {
                case .idle, .loading, .retrying: break
                case .loaded(let book), .stale(let book, _): ended.yield("\(id) \(book.title)")
                case .failed(let error): ended.yield("\(id) \(error)")
                }
            }
        }
        var lines: Set<String> = []
        for await line in endings where lines.insert(line).inserted && lines.count == 2 { break }
        showing.cancel()
        await showing.value

        #expect(lines == ["1 Moby-Dick", "2 not found (404): /2"])
    }

    @Test func `The README contains the example code`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

        let code = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// ---- README\n")[1]
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)

        #expect(readme.contains("```swift\n\(code)```\n"))
    }
}
