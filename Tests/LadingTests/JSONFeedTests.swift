import Foundation
import Lading
import LadingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct JSONFeedTests {
    private let executor = ScriptedExecutor()
    private let queue = BackendQueue()
    private let listURL: URL

    init() throws {
        listURL = try #require(URL(string: "https://example.org/shop/books.json"))
    }

    private var client: BackendClient { BackendClient(executor: executor) }

    private func feed(partition: String = "") -> JSONFeed<BookReference, Book> {
        JSONFeed(list: listURL, row: \.url, client: client, partition: partition)
    }

    private func reference(_ id: Int, _ url: String) throws -> BookReference {
        BookReference(id: id, url: try #require(URL(string: url)))
    }

    @Test func `The list is decoded from its URL`() async throws {
        executor.script(listURL.absoluteString, .response(text: #"[{"id": 2, "url": "2.json"}, {"id": 1, "url": "1.json"}]"#))

        let list = try await queue.value(of: feed().list(), priority: .visible)

        #expect(list.map(\.id) == [2, 1])
    }

    @Test(arguments: [
        ("2.json", "https://example.org/shop/2.json"), ("/2.json", "https://example.org/2.json"),
        ("../2.json?all", "https://example.org/2.json?all"), ("//example.com/2", "https://example.com/2"),
        ("http://example.com/2", "http://example.com/2"),
    ])
    func `The URL of a row is resolved against that of the list`(url: String, requested: String) async throws {
        executor.script(requested, .response(text: #"{"id": 2, "title": "Emma"}"#))
        let texts = JSONFeed(list: listURL, row: \BookEntry.path, decoding: Book.self, client: client)

        let book = try await queue.value(of: feed().load(reference(2, url)), priority: .visible)
        let other = try await queue.value(of: texts.load(BookEntry(id: 2, path: url)), priority: .visible)

        #expect([book, other] == [Book(id: 2, title: "Emma"), Book(id: 2, title: "Emma")])
        #expect(executor.requestedURLs == [requested, requested])
    }

    @Test func `A row may have a private address only on the host of the list`() async throws {
        let local = try #require(URL(string: "http://127.0.0.1/books.json"))
        executor.script("http://127.0.0.1/1", .response(text: #"{"id": 1, "title": "Emma"}"#))
        executor.script("http://10.0.0.1/1", .response(text: #"{"id": 1, "title": "Emma"}"#))
        let feed = JSONFeed(list: local, row: \BookReference.url, decoding: Book.self, client: client)

        _ = try await queue.value(of: feed.load(reference(1, "/1")), priority: .visible)

        await #expect { try await queue.value(of: feed.load(reference(1, "http://10.0.0.1/1")), priority: .visible) } throws: { error in
            if case BackendError.policyViolation(_, .privateAddress) = error { true } else { false }
        }
    }

    @Test func `A row with an invalid URL fails with an error of the list`() async throws {
        let feed = JSONFeed(list: listURL, row: \BookEntry.path, decoding: Book.self, client: client)

        await #expect { try await queue.value(of: feed.load(BookEntry(id: 7, path: "")), priority: .visible) } throws: { error in
            guard case BackendError.decodingFailed(listURL, let cause) = error else { return false }
            return "\(cause)" == "the URL of Book 7 is invalid"
        }
        #expect(executor.requestedURLs == [])
    }

    @Test func `Equal rows of two feeds share one request, but not across partitions`() async throws {
        let gate = Gate()
        executor.script("https://example.org/shop/1", .response(text: #"{"id": 1, "title": "Emma"}"#), behind: gate)
        let operations = try [feed(), feed(), feed(partition: "ada")].map { try $0.load(reference(1, "1")) }

        for operation in operations { queue.submit(operation, priority: .visible) }
        await gate.waitForWaiters(count: 2)
        gate.open()
        for operation in operations { #expect(try await operation.value.title == "Emma") }

        #expect(executor.requests.count == 2)
    }

    @Test func `A feed whose list contains the rows sends one request`() async throws {
        executor.script(listURL.absoluteString, .response(text: #"[{"id": 1, "title": "Emma"}, {"id": 2, "title": "Ulysses"}]"#))
        let controller = FeedController(
            feed: JSONFeed(list: listURL, decoding: Book.self, client: client), cache: FeedCache(), queue: queue)
        defer { controller.stop() }

        controller.start()
        controller.setViewport(Viewport(visible: 0..<2))
        for await _ in controller.updates where [1, 2].allSatisfy({ controller.state(of: $0).row != nil }) { break }

        #expect(controller.state(of: 2).row == Book(id: 2, title: "Ulysses"))
        #expect(executor.requestedURLs == [listURL.absoluteString])
    }

    @Test func `A refresh requests the list and the visible rows again`() async throws {
        executor.script(listURL.absoluteString, .response(text: #"[{"id": 1, "url": "1"}]"#))
        executor.script(
            "https://example.org/shop/1", .response(text: #"{"id": 1, "title": "Emma"}"#),
            .response(text: #"{"id": 1, "title": "Persuasion"}"#))
        let cache = FeedCache<JSONFeed<BookReference, Book>>()
        let controller = FeedController(feed: feed(), cache: cache, queue: queue)
        defer { controller.stop() }
        controller.start()
        controller.setViewport(Viewport(visible: 0..<1))
        for await _ in controller.updates where controller.state(of: 1).row?.title == "Emma" { break }
        let version = cache.version(of: 1)

        controller.refresh()
        for await _ in controller.updates where controller.state(of: 1).row?.title == "Persuasion" { break }

        #expect(cache.version(of: 1) > version)
        #expect(executor.requests.count == 4)
    }

    @Test func `A decoder with other strategies decodes the list and the rows`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            path.last.map { LowercaseKey(stringValue: $0.stringValue.lowercased()) } ?? LowercaseKey(stringValue: "")
        }
        executor.script(listURL.absoluteString, .response(text: #"[{"ID": 1, "Title": "Emma"}]"#))
        let feed = JSONFeed(list: listURL, decoding: Book.self, client: client, decoder: decoder)

        let list = try await queue.value(of: feed.list(), priority: .visible)

        #expect(list == [Book(id: 1, title: "Emma")])
    }

    private struct LowercaseKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
