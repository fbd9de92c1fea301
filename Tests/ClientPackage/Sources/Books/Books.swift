import LadingFeeds
import LadingOperations

struct BookReference: Identifiable, Sendable {
    let id: Int
}

/// A feed of generated books.
struct BookFeed: Feed {
    func list() -> BackendOperation<[BookReference]> {
        BackendOperation("list", lane: .network("example.org")) { (1...1_000).map(BookReference.init) }
    }

    func load(_ reference: BookReference) -> BackendOperation<String> {
        let download = BackendOperation("book \(reference.id)", lane: .network("example.org")) { reference.id }
        return BackendOperation("title", lane: .cpu, after: download) { id in "Book \(id)" }
    }
}

/// Loads the visible rows and draws changes until all of them are loaded.
nonisolated(nonsending) func showBooks(_ visible: Range<Int>, draw: (Int, String) -> Void) async {
    let screen = FeedController(feed: BookFeed(), cache: FeedCache<BookFeed>(), queue: BackendQueue())
    defer { screen.stop() }
    screen.start()
    screen.setViewport(Viewport(visible: visible))
    var drawn: Set<Int> = []
    for await update in screen.updates {
        for id in update.rows {
            if case .loaded(let title) = screen.state(of: id), drawn.insert(id).inserted { draw(id, title) }
        }
        if drawn.count >= visible.count { return }
    }
}

@main struct Books {
    static func main() async {
        var titles: [Int: String] = [:]
        await showBooks(0..<12) { titles[$0] = $1 }
        print(titles.filter { $0.key <= 12 }.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", "))
    }
}
