import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

@Suite struct BearerTokenInterceptorTests {
    private let own = URL(string: "http://api.example.org/thing")!
    private let other = URL(string: "http://other.org/thing")!
    private let desk = TokenDesk()

    private func client(_ executor: any BackendExecutor, token: String? = "old") -> BackendClient {
        BackendClient(
            executor: executor,
            interceptors: [BearerTokenInterceptor(for: [own], token: token) { [desk] old in try await desk.fetch(insteadOf: old) }])
    }

    @Test func `The token goes to its own server, and to no other`() async throws {
        let executor = ScriptedExecutor()
        let addresses = [
            "http://api.example.org/a", "http://API.example.org:80/b", "http://api.example.org:81/", "https://api.example.org/",
            "http://example.org/", "http://api.example.org.evil.org/", "http://evil.org/api.example.org",
        ]

        for address in addresses { _ = try await client(executor).reply(to: RequestMessage(url: try #require(URL(string: address)))) }

        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old"] + Array(repeating: nil, count: 5))
    }

    @Test func `A redirect to another server leaves the token behind, and its 401 fetches none`() async throws {
        let executor = ScriptedExecutor()
        executor.script(own.absoluteString, .reply(status: .temporaryRedirect, headers: [.location: other.absoluteString]))
        executor.script(other.absoluteString, .reply(status: .unauthorized))

        let reply = try await client(executor).reply(to: RequestMessage(url: own))

        #expect(reply.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", nil])
        #expect(desk.asked.isEmpty)
    }

    @Test func `A message that has an authorization of its own is left alone`() async throws {
        let executor = ScriptedExecutor()
        executor.script(own.absoluteString, .reply(status: .unauthorized))

        let reply = try await client(executor).reply(to: RequestMessage(url: own, headers: [.authorization: "Basic x"]))

        #expect(reply.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Basic x"])
    }

    @Test func `What was refused is asked again with a new token, once`() async throws {
        let executor = ScriptedExecutor()
        executor.script(own.absoluteString, .reply(status: .unauthorized))
        desk.gate.open()

        let reply = try await client(executor).reply(to: RequestMessage(method: .post, url: own, body: .stream { Chunks("a", "b") }))

        #expect(reply.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new-1"])
        #expect(executor.requests.map(\.body.bytes) == [Array("ab".utf8), Array("ab".utf8)])
        #expect(desk.asked == ["old"])
    }

    @Test func `Without a token one is fetched before anything is sent`() async throws {
        let executor = TokenServer()
        desk.gate.open()

        let reply = try await client(executor, token: nil).reply(to: RequestMessage(url: own))

        #expect(reply.status == .ok)
        #expect(executor.counts == ["Bearer new-1": 1])
        #expect(desk.asked == [nil])
    }

    @Test func `A hundred requests that meet a 401 share one fetch`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        let requests = (1...100).map { _ in Task { try await client.reply(to: RequestMessage(url: own)).status } }
        await executor.gate.waiting(for: 100)
        executor.gate.open()
        await desk.gate.waiting(for: 1)

        desk.gate.open()

        for request in requests { #expect(try await request.value == .ok) }
        #expect(desk.asked == ["old"])
        #expect(executor.counts == ["Bearer old": 100, "Bearer new-1": 100])
    }

    @Test func `A fetch that fails fails all who need it, and the next one tries anew`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        desk.isClosed.withLock { $0 = true }
        let requests = (1...3).map { _ in Task { try await client.reply(to: RequestMessage(url: own)).status } }
        await executor.gate.waiting(for: 3)
        executor.gate.open()

        desk.gate.open()

        for request in requests {
            await #expect { try await request.value } throws: { error in
                (error as? BearerTokenInterceptor.Failure)?.cause is TokenDesk.Closed
            }
        }
        desk.isClosed.withLock { $0 = false }
        #expect(try await client.reply(to: RequestMessage(url: own)).status == .ok)
        #expect(desk.asked.allSatisfy { $0 == "old" })
    }

    @Test func `Who is cancelled while waiting does not take the fetch along`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        let requests = (1...2).map { _ in Task { try await client.reply(to: RequestMessage(url: own)).status } }
        await executor.gate.waiting(for: 2)
        executor.gate.open()
        await desk.gate.waiting(for: 1)

        requests[0].cancel()
        await #expect(throws: CancellationError.self) { try await requests[0].value }
        desk.gate.open()

        #expect(try await requests[1].value == .ok)
        #expect(desk.asked == ["old"])
    }

    @Test func `Over a socket the server sees each token it should`() async throws {
        let server = try ScriptedServer { request in
            let isValid = request["Authorization"] == "Bearer new-1"
            return [.send("HTTP/1.1 \(isValid ? "200 OK" : "401 No")\r\nContent-Length: 0\r\n\r\n")]
        }
        defer { server.stop() }
        desk.gate.open()
        let token = BearerTokenInterceptor(for: [server.url()], token: "old") { [desk] old in try await desk.fetch(insteadOf: old) }
        let client = BackendClient(executor: URLSessionExecutor(), interceptors: [token])

        let reply = try await client.reply(to: RequestMessage(url: server.url()))

        #expect(reply.status == .ok)
        #expect(server.seen.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer new-1"])
    }
}

/// Where tokens are handed out, once its gate is open.
private final class TokenDesk: Sendable {
    struct Closed: Error {}

    let gate = Gate()
    let isClosed = Mutex(false)
    private let log = Mutex<[String?]>([])

    /// The old tokens that were brought.
    var asked: [String?] { log.withLock { $0 } }

    func fetch(insteadOf old: String?) async throws -> String {
        let number = log.withLock { log in
            log.append(old)
            return log.count
        }
        try await gate.pass()
        if isClosed.withLock({ $0 }) { throw Closed() }
        return "new-\(number)"
    }
}

/// Answers 401 to the old token, once its gate is open, and 200 to all others; counts both.
private struct TokenServer: BackendExecutor {
    let gate = Gate()
    private let log = Log()

    var counts: [String: Int] { log.lines.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        let token = message.headers[.authorization] ?? "none"
        log.note(token)
        let isOld = token == "Bearer old"
        if isOld { try await gate.pass() }
        return try await receive(ReplyHead(status: isOld ? .unauthorized : .ok), ReplyBody { nil })
    }
}
