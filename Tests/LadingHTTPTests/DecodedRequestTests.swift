import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import ScriptedServers
import Testing

/// Requests whose responses are decoded by type, and requests of one line.
@Suite struct DecodedRequestTests {
    private struct Book: Codable, Equatable, Sendable {
        var bookTitle: String
    }

    private let executor = ScriptedExecutor()
    private let url = URL(string: "http://example.org/book")!
    private let book = Book(bookTitle: "Moby-Dick")

    private var client: BackendClient { BackendClient(executor: executor, clock: ManualClock()) }

    private var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private func script(_ text: String = #"{"bookTitle": "Moby-Dick"}"#) {
        executor.script(url.absoluteString, .response(text: text))
    }

    // MARK: Decoding by type

    @Test func `Every way to make a request decodes JSON by type`() async throws {
        script()
        let message = RequestMessage(url: url)
        let queue = BackendQueue()
        let environment = try BackendEnvironment(baseURL: "http://example.org")

        let values = [
            try await client.value(of: BackendRequest(url: url, decoding: Book.self)),
            try await client.value(of: BackendRequest(message, decoding: Book.self)),
            try await client.value(of: environment.request(.get, "book", decoding: Book.self)),
            try await client.value(of: message, decoding: Book.self),
            try await queue.value(of: client.operation(message, decoding: Book.self)),
            try await ServiceRegistry(client: client, queue: queue).value(of: message, decoding: Book.self),
            try await client.get(url, as: Book.self),
            try await client.get(url, as: Book.self, in: queue),
        ]

        #expect(values == Array(repeating: book, count: 8))
    }

    @Test func `Every way to make a request accepts another decoder`() async throws {
        script(#"{"book_title": "Moby-Dick"}"#)
        let message = RequestMessage(url: url)
        let queue = BackendQueue()
        let environment = try BackendEnvironment(baseURL: "http://example.org")

        let values = [
            try await client.value(of: BackendRequest(url: url, decoding: Book.self, decoder: snakeCase)),
            try await client.value(of: BackendRequest(message, decoding: Book.self, decoder: snakeCase)),
            try await client.value(of: environment.request(.get, "book", decoding: Book.self, decoder: snakeCase)),
            try await client.value(of: message, decoding: Book.self, decoder: snakeCase),
            try await queue.value(of: client.operation(message, decoding: Book.self, decoder: snakeCase)),
            try await ServiceRegistry(client: client, queue: queue).value(of: message, decoding: Book.self, decoder: snakeCase),
            try await client.get(url, as: Book.self, decoder: snakeCase),
            try await client.get(url, as: Book.self, in: queue, decoder: snakeCase),
        ]

        #expect(values == Array(repeating: book, count: 8))
    }

    @Test func `An error of decoding by type names the coding path`() async throws {
        script(#"{"title": "Moby-Dick"}"#)

        let error = await #expect(throws: BackendError.self) { try await client.get(url, as: Book.self) }

        guard case .decodingFailed(url, let cause as ResponseDecodingError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(cause)" == "bookTitle is missing")
    }

    // MARK: Requests of one line

    @Test func `The bytes of a resource are those of the body`() async throws {
        script("PNG")

        #expect(try await client.data(from: url) == Data("PNG".utf8))
        #expect(try await client.data(from: url, in: BackendQueue()) == Data("PNG".utf8))
    }

    @Test func `A status other than 2xx is an error of one-line requests`() async throws {
        executor.script(url.absoluteString, .response(status: .notFound, text: "none"))

        let requests: [@Sendable () async throws -> Void] = [
            { [client, url] in _ = try await client.data(from: url) }, { [client, url] in _ = try await client.get(url, as: Book.self) },
        ]
        for request in requests {
            await #expect {
                try await request()
            } throws: { error in
                if case BackendError.status(404, url, _) = error { true } else { false }
            }
        }
    }

    @Test func `Fields and limits of one-line requests are those of the call`() async throws {
        script("four")

        await #expect {
            try await client.data(from: url, headers: [.accept: "image/png"], limits: ResponseLimits(bodySize: 3))
        } throws: { error in
            if case BackendError.bodyTooLarge(url, limit: 3) = error { true } else { false }
        }

        #expect(executor.requests.map { $0.headers[.accept] } == ["image/png"])
    }

    @Test func `Bytes that the cache of the client has fresh are not requested again`() async throws {
        let fixture = HTTPCacheFixture()
        fixture.script("Cache-Control: max-age=60", "image")

        let first = try await fixture.client.data(from: CacheSamples.url)
        let second = try await fixture.client.data(from: CacheSamples.url)
        let queued = try await fixture.client.data(from: CacheSamples.url, in: fixture.queue)

        #expect([first, second, queued] == Array(repeating: Data("image".utf8), count: 3))
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `Stored bytes are not shared across partitions`() async throws {
        let fixture = HTTPCacheFixture()
        fixture.script("Cache-Control: max-age=60", "image")

        _ = try await fixture.client.data(from: CacheSamples.url, partition: "ada")
        _ = try await fixture.client.data(from: CacheSamples.url, partition: "bob")

        #expect(fixture.executor.requests.count == 2)
    }

    @Test func `A one-line request in a queue occupies a slot of its host until it is cancelled`() async throws {
        let gate = Gate()
        executor.script(url.absoluteString, .response(text: "x"), behind: gate)
        let queue = BackendQueue()
        let request = Task { [client, url] in try await client.data(from: url, in: queue) }
        await gate.waitForWaiters(count: 1)
        #expect(queue.lanes.filter { $0.running > 0 }.map(\.lane) == [.network("example.org")])

        request.cancel()

        await #expect(throws: CancellationError.self) { try await request.value }
        await queue.waitUntilIdle()
        #expect(executor.cancelled == [url])
    }
}

extension URLSessionTests {
    /// Requests of clients without a named executor, over real sockets.
    @Suite struct PlatformExecutorTests {
        @Test func `A client without an executor sends its requests with that of the platform`() async throws {
            let server = try ScriptedServer { _ in
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[7]"), .close]
            }
            defer { server.stop() }

            let numbers = try await BackendClient().get(server.url("/numbers"), as: [Int].self)

            #expect(numbers == [7])
            #expect(server.log.requests.map(\.target) == ["/numbers"])
        }
    }
}
