import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import Testing

@testable import Window

/// The readiness of a window, which load balancers request.
@Suite struct ReadinessTests {
    private static let origin = "http://a.org/ready"

    private let executor = ScriptedExecutor()

    private func response(hasAccounts: Bool = true) async throws -> TestResponse {
        let server = try await WindowServer(executor: executor, hasAccounts: hasAccounts)
        return try await server.application.test(.router) { try await $0.execute(uri: "/ready", method: .get) }
    }

    @Test func `A window is ready while its origin is`() async throws {
        let timeout = BackendError.timedOut(try #require(URL(string: Self.origin)), after: .seconds(3))
        executor.script(Self.origin, .response(text: "ready"), .response(status: .serviceUnavailable, text: "no"), .failure(timeout))

        let responses = [try await response(), try await response(), try await response()]

        #expect(responses.map(\.status) == [.ok, .serviceUnavailable, .serviceUnavailable])
        #expect(responses.allSatisfy { $0.headers[.cacheControl] == "no-store" })
    }

    @Test func `A window of the lists of another server is ready while it runs`() async throws {
        let response = try await response(hasAccounts: false)

        #expect(response.status == .ok)
        #expect(!executor.requestedURLs.contains(Self.origin))
    }
}
