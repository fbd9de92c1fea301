import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

/// What a cache answers while nobody can be asked for a token.
@Suite struct CacheWithoutTokenTests {
    private struct Closed: Error {}

    private let stage = HTTPCacheStage()
    private let fetches = Log()
    private let unreachable = BackendError.unreachable(URL(string: "http://tokens.example.org/")!, cause: Closed())

    /// A client that has no token.
    private func client(failing error: (any Error)?, keeps: Bool = true) -> BackendClient {
        let token = BearerTokenInterceptor(for: [Kept.url]) { [fetches] _ in
            fetches.note("fetch")
            if let error { throw error }
            return "new"
        }
        return BackendClient(executor: stage.executor, interceptors: [token], cache: keeps ? stage.cache : nil)
    }

    /// Whether asking fails for want of a token.
    private func lacksToken(_ client: BackendClient) async -> Bool {
        do {
            _ = try await client.reply(to: RequestMessage(url: Kept.url))
            return false
        } catch {
            return error is BearerTokenInterceptor.Failure
        }
    }

    @Test func `What is kept is handed over, fresh or stale`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        let client = client(failing: unreachable)

        #expect(try await client.reply(to: RequestMessage(url: Kept.url)).text == "one")
        stage.wait(100)
        let stale = try await client.reply(to: RequestMessage(url: Kept.url))

        #expect(stale.text == "one" && stale.cacheStatus?.contains("unreachable") == true)
        #expect(stage.executor.requests.count == 1 && fetches.lines.count == 2)
    }

    @Test(arguments: ["max-age=60, must-revalidate", "no-cache", "no-store", "max-age=60, stale-if-error=10"])
    func `What must not be used unasked is not`(control: String) async throws {
        stage.script("Cache-Control: \(control) | ETag: \"a\"", "one")
        _ = try await stage.get()
        stage.wait(100)

        #expect(await lacksToken(client(failing: unreachable)))
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `Nothing is handed over where there is no cache, or whoever was asked refuses`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()

        #expect(await lacksToken(client(failing: unreachable, keeps: false)))
        #expect(await lacksToken(client(failing: Closed())))
        #expect(await lacksToken(client(failing: BackendError.status(400, Kept.url))))
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `What is fresh is looked up without fetching a token`() async throws {
        stage.script("Cache-Control: max-age=60", "one")
        _ = try await stage.get()
        let operation = client(failing: unreachable).operation(BackendRequest(url: Kept.url))

        #expect(try await stage.queue.value(of: operation, priority: .visible).text == "one")
        #expect(fetches.lines == [])
    }

    @Test func `What is stale is asked for anew with a token`() async throws {
        stage.script("Cache-Control: max-age=10, stale-while-revalidate=1000", "one")
        _ = try await stage.get()
        stage.wait(20)
        let gate = Gate()
        stage.script("Cache-Control: max-age=10", "two", behind: gate)
        let operation = client(failing: nil).operation(BackendRequest(url: Kept.url))

        #expect(try await stage.queue.value(of: operation, priority: .visible).text == "one")
        await gate.waiting(for: 1)

        #expect(stage.executor.requests.map { $0.headers[.authorization] } == [nil, "Bearer new"])
        gate.open()
    }
}
