import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

/// Tests of responses from a cache while no token can be fetched.
@Suite struct CacheWithoutTokenTests {
    private struct SignInFailed: Error {}

    private let fixture = HTTPCacheFixture()
    private let fetches = Log()
    private let unreachable = BackendError.unreachable(URL(string: "http://tokens.example.org/")!, cause: SignInFailed())

    /// Returns a client without a token.
    private func client(failing error: (any Error)?, hasCache: Bool = true) -> BackendClient {
        BackendClient(executor: fixture.executor, interceptors: [interceptor(failing: error)], cache: hasCache ? fixture.cache : nil)
    }

    private func interceptor(failing error: (any Error)?) -> BearerTokenInterceptor {
        BearerTokenInterceptor(for: [CacheSamples.url]) { [fetches] _ in
            fetches.append("fetch")
            if let error { throw error }
            return "new"
        }
    }

    /// Returns whether a request fails for lack of a token.
    private func failsWithoutToken(_ client: BackendClient) async -> Bool {
        do {
            _ = try await client.response(to: RequestMessage(url: CacheSamples.url))
            return false
        } catch {
            return error is BearerTokenInterceptor.Failure
        }
    }

    @Test func `Without a token a stored response is served, fresh or stale`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        let client = client(failing: unreachable)

        #expect(try await client.response(to: RequestMessage(url: CacheSamples.url)).text == "one")
        fixture.advance(by: 100)
        let stale = try await client.response(to: RequestMessage(url: CacheSamples.url))

        #expect(stale.text == "one" && stale.cacheStatus?.contains("unreachable") == true)
        #expect(fixture.executor.requests.count == 1 && fetches.lines.count == 2)
    }

    @Test(arguments: ["max-age=60, must-revalidate", "no-cache", "no-store", "max-age=60, stale-if-error=10"])
    func `Without a token a response that requires validation is not served`(control: String) async throws {
        fixture.script("Cache-Control: \(control) | ETag: \"a\"", "one")
        _ = try await fixture.get()
        fixture.advance(by: 100)

        #expect(await failsWithoutToken(client(failing: unreachable)))
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `Without a cache, or after a refusal of the token server, the request fails`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()

        #expect(await failsWithoutToken(client(failing: unreachable, hasCache: false)))
        #expect(await failsWithoutToken(client(failing: SignInFailed())))
        #expect(await failsWithoutToken(client(failing: BackendError.status(400, CacheSamples.url))))
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A stored response is served after the token server was silent for the whole time limit`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        fixture.advance(by: 100)
        let limits = ResponseLimits(time: .seconds(5))
        let token = BearerTokenInterceptor(for: [CacheSamples.url]) { [clock = fixture.clock] _ in
            clock.advance(by: .seconds(5))
            throw BackendError.timedOut(CacheSamples.url, after: .seconds(5))
        }
        let client = BackendClient(executor: fixture.executor, clock: fixture.clock, interceptors: [token], cache: fixture.cache)

        #expect(try await client.response(to: RequestMessage(url: CacheSamples.url), within: limits).text == "one")
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A fresh response is looked up without a token fetch`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        let operation = client(failing: unreachable).operation(BackendRequest(url: CacheSamples.url))

        #expect(try await fixture.queue.value(of: operation, priority: .visible).text == "one")
        #expect(fetches.lines == [])
    }

    @Test func `When a token cannot be fetched, no inner interceptor fetches another`() async throws {
        fixture.script("Cache-Control: max-age=60", "one")
        _ = try await fixture.get()
        let client = client(failing: unreachable).adding(interceptor(failing: nil))

        #expect(try await client.response(to: RequestMessage(url: CacheSamples.url)).text == "one")
        #expect(fetches.lines == ["fetch"])
    }

    @Test(arguments: [false, true])
    func `A stale response is refreshed with the token of the outermost interceptor`(hasOther: Bool) async throws {
        fixture.script("Cache-Control: max-age=10, stale-while-revalidate=1000", "one")
        _ = try await fixture.get()
        fixture.advance(by: 20)
        let gate = Gate()
        fixture.script("Cache-Control: max-age=10", "two", behind: gate)
        let other = BearerTokenInterceptor(for: [CacheSamples.url], token: "other") { _ in "other" }
        let client = hasOther ? client(failing: nil).adding(other) : client(failing: nil)
        let operation = client.operation(BackendRequest(url: CacheSamples.url))

        #expect(try await fixture.queue.value(of: operation, priority: .visible).text == "one")
        await gate.waitForWaiters(count: 1)

        #expect(fixture.executor.requests.map { $0.headers[.authorization] } == [nil, "Bearer new"])
        gate.open()
    }
}
