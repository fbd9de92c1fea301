import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers
import Synchronization
import Testing

@Suite struct BearerTokenInterceptorTests {
    private let allowedURL = URL(string: "http://api.example.org/thing")!
    private let otherURL = URL(string: "http://other.org/thing")!
    private let issuer = TokenIssuer()

    private func client(_ executor: any BackendExecutor, token: String? = "old") -> BackendClient {
        BackendClient(
            executor: executor,
            interceptors: [
                BearerTokenInterceptor(for: [allowedURL], token: token) { [issuer] old in try await issuer.fetch(replacing: old) }
            ])
    }

    @Test func `The token is sent only to its own origins`() async throws {
        let executor = ScriptedExecutor()
        let addresses = [
            "http://api.example.org/a", "http://API.example.org:80/b", "http://api.example.org:81/", "https://api.example.org/",
            "http://example.org/", "http://api.example.org.evil.org/", "http://evil.org/api.example.org",
        ]

        for address in addresses { _ = try await client(executor).response(to: RequestMessage(url: try #require(URL(string: address)))) }

        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old"] + Array(repeating: nil, count: 5))
    }

    @Test func `A redirect to another origin drops the token, and its 401 fetches none`() async throws {
        let executor = ScriptedExecutor()
        executor.script(allowedURL.absoluteString, .response(status: .temporaryRedirect, headers: [.location: otherURL.absoluteString]))
        executor.script(otherURL.absoluteString, .response(status: .unauthorized))

        let response = try await client(executor).response(to: RequestMessage(url: allowedURL))

        #expect(response.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", nil])
        #expect(issuer.replacedTokens.isEmpty)
    }

    @Test func `A message with an Authorization field is not changed`() async throws {
        let executor = ScriptedExecutor()
        executor.script(allowedURL.absoluteString, .response(status: .unauthorized))

        let response = try await client(executor).response(to: RequestMessage(url: allowedURL, headers: [.authorization: "Basic x"]))

        #expect(response.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Basic x"])
    }

    @Test func `A rejected request is repeated once with a new token`() async throws {
        let executor = ScriptedExecutor()
        executor.script(allowedURL.absoluteString, .response(status: .unauthorized))
        issuer.gate.open()

        let response = try await client(executor).response(
            to: RequestMessage(method: .post, url: allowedURL, body: .stream { Chunks("a", "b") }))

        #expect(response.status == .unauthorized)
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new-1"])
        #expect(executor.requests.map(\.body.bytes) == [Array("ab".utf8), Array("ab".utf8)])
        #expect(issuer.replacedTokens == ["old"])
    }

    @Test func `A missing token is fetched before the request is sent`() async throws {
        let executor = TokenServer()
        issuer.gate.open()

        let response = try await client(executor, token: nil).response(to: RequestMessage(url: allowedURL))

        #expect(response.status == .ok)
        #expect(executor.counts == ["Bearer new-1": 1])
        #expect(issuer.replacedTokens == [nil])
    }

    @Test func `A hundred requests with a 401 share one token fetch`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        let requests = (1...100).map { _ in Task { try await client.response(to: RequestMessage(url: allowedURL)).status } }
        await executor.gate.waitForWaiters(count: 100)
        executor.gate.open()
        await issuer.gate.waitForWaiters(count: 1)

        issuer.gate.open()

        for request in requests { #expect(try await request.value == .ok) }
        #expect(issuer.replacedTokens == ["old"])
        #expect(executor.counts == ["Bearer old": 100, "Bearer new-1": 100])
    }

    @Test func `A failed token fetch fails all waiters, and the next request fetches again`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        issuer.isUnavailable.withLock { $0 = true }
        let requests = (1...3).map { _ in Task { try await client.response(to: RequestMessage(url: allowedURL)).status } }
        await executor.gate.waitForWaiters(count: 3)
        executor.gate.open()

        issuer.gate.open()

        for request in requests {
            await #expect { try await request.value } throws: { error in
                (error as? BearerTokenInterceptor.Failure)?.cause is TokenIssuer.Unavailable
            }
        }
        issuer.isUnavailable.withLock { $0 = false }
        #expect(try await client.response(to: RequestMessage(url: allowedURL)).status == .ok)
        #expect(issuer.replacedTokens.allSatisfy { $0 == "old" })
    }

    @Test func `A cancelled waiter does not cancel the token fetch`() async throws {
        let executor = TokenServer()
        let client = client(executor)
        let requests = (1...2).map { _ in Task { try await client.response(to: RequestMessage(url: allowedURL)).status } }
        await executor.gate.waitForWaiters(count: 2)
        executor.gate.open()
        await issuer.gate.waitForWaiters(count: 1)

        requests[0].cancel()
        await #expect(throws: CancellationError.self) { try await requests[0].value }
        issuer.gate.open()

        #expect(try await requests[1].value == .ok)
        #expect(issuer.replacedTokens == ["old"])
    }

    @Test(arguments: ["theirs", nil]) func `After a change of user, a token of the former one is not used`(token: String?) async throws {
        let executor = TokenServer()
        let interceptor = BearerTokenInterceptor(for: [allowedURL], token: "old") { [issuer] old in try await issuer.fetch(replacing: old) }
        let client = BackendClient(executor: executor, interceptors: [interceptor])
        let waiting = Task { try await client.response(to: RequestMessage(url: allowedURL)).status }
        executor.gate.open()
        await issuer.gate.waitForWaiters(count: 1)

        interceptor.setToken(token)
        if token == nil { await issuer.gate.waitForWaiters(count: 2) }
        issuer.gate.open()

        #expect(try await waiting.value == .ok)
        #expect(try await client.response(to: RequestMessage(url: allowedURL)).status == .ok)
        #expect(issuer.replacedTokens == (token == nil ? ["old", nil] : ["old"]))
        #expect(executor.counts == ["Bearer old": 1, "Bearer \(token ?? "new-2")": 2])
    }

    @Test func `Over a socket the server receives the old and the new token`() async throws {
        let server = try ScriptedServer { request in
            let isValid = request["Authorization"] == "Bearer new-1"
            return [.send("HTTP/1.1 \(isValid ? "200 OK" : "401 No")\r\nContent-Length: 0\r\n\r\n")]
        }
        defer { server.stop() }
        issuer.gate.open()
        let token = BearerTokenInterceptor(for: [server.url()], token: "old") { [issuer] old in try await issuer.fetch(replacing: old) }
        let client = BackendClient(executor: URLSessionExecutor(), interceptors: [token])

        let response = try await client.response(to: RequestMessage(url: server.url()))

        #expect(response.status == .ok)
        #expect(server.log.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer new-1"])
    }
}

/// An issuer of tokens, which responds once its gate is open.
private final class TokenIssuer: Sendable {
    struct Unavailable: Error {}

    let gate = Gate()
    let isUnavailable = Mutex(false)
    private let log = Mutex<[String?]>([])

    /// The old tokens of all fetches.
    var replacedTokens: [String?] { log.withLock { $0 } }

    func fetch(replacing old: String?) async throws -> String {
        let number = log.withLock { log in
            log.append(old)
            return log.count
        }
        try await gate.wait()
        if isUnavailable.withLock({ $0 }) { throw Unavailable() }
        return "new-\(number)"
    }
}

/// A server that responds with 401 to the old token, once its gate is open, and with 200 to all others; it counts both.
private struct TokenServer: BackendExecutor {
    let gate = Gate()
    private let log = Log()

    var counts: [String: Int] { log.lines.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let token = message.headers[.authorization] ?? "none"
        log.append(token)
        let isOld = token == "Bearer old"
        if isOld { try await gate.wait() }
        return try await receive(ResponseHead(status: isOld ? .unauthorized : .ok), ResponseBody { nil })
    }
}
