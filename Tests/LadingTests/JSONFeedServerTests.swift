import Lading
import ScriptedServers
import Testing

extension URLSessionTests {
    /// A feed of JSON documents from a server on 127.0.0.1.
    @Suite struct JSONFeedServerTests {
        private static let documents = [
            "/shop/books": #"[{"id": 1, "url": "books/1"}, {"id": 2, "url": "/books/2"}]"#,
            "/shop/books/1": #"{"id": 1, "title": "Emma"}"#,
        ]

        @Test func `Visible rows are loaded from the server, and a missing one fails`() async throws {
            let server = try ScriptedServer { request in
                let body = Self.documents[request.target]
                let status = body == nil ? "404 Not Found" : "200 OK"
                return [.send("HTTP/1.1 \(status)\r\nContent-Length: \(body?.utf8.count ?? 0)\r\n\r\n\(body ?? "")")]
            }
            defer { server.stop() }
            let client = BackendClient(executor: URLSessionExecutor())
            let feed = JSONFeed(list: server.url("/shop/books"), row: \BookReference.url, decoding: Book.self, client: client)
            let controller = FeedController(feed: feed, cache: FeedCache(), queue: BackendQueue())
            defer { controller.stop() }

            controller.start()
            controller.setViewport(Viewport(visible: 0..<2))
            for await _ in controller.updates where controller.state(of: 1).row != nil && controller.hasFailed(2) { break }

            #expect(controller.state(of: 1).row?.title == "Emma")
            guard case .failed(BackendError.status(404, server.url("/books/2"), _)) = controller.state(of: 2) else {
                Issue.record("\(controller.state(of: 2))")
                return
            }
            #expect(Set(server.log.requests.map(\.target)) == ["/shop/books", "/shop/books/1", "/books/2"])
        }
    }
}
