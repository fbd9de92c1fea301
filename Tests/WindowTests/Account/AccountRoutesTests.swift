import HTTPTypes
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// Signing in at an API that is scripted.
@Suite struct AccountRoutesTests {
    private static let api = "http://a.org/api/v1"
    private static let signIn = #"{"token":"secret","person":{"id":"mina","name":"Mina (demo)","role":"courier"}}"#

    private let executor = ScriptedExecutor()
    private let server: WindowServer

    init() async throws {
        server = try await WindowServer(executor: executor, hasAccounts: true, offersDemoPeople: true)
        executor.script(
            "\(Self.api)/demo-people", .response(text: #"{"people":[{"id":"mina","name":"Mina (demo)","role":"courier"}]}"#))
        executor.script("\(Self.api)/demo-people/mina/sign-in", .response(text: Self.signIn))
        executor.script("\(Self.api)/sign-in", .response(text: Self.signIn))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], body: String? = nil
    ) async throws -> TestResponse {
        try await server.application.test(.router) { [fields] in
            try await $0.execute(uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test func `Somebody at this machine signs in as one of the demo's people`() async throws {
        let start = try await send(.get, "/")
        let response = try await send(.post, "/sign-in", body: "demo=mina")

        #expect(start.text.contains("Mina (demo)"))
        #expect(response.status == .seeOther && response.headers[.setCookie]?.hasPrefix("token=secret; ") == true)
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
    func `A client of a proxy is none of the demo's people`(field: String) async throws {
        let forwarded: HTTPFields = [try #require(HTTPField.Name(field)): "192.0.2.1"]
        executor.script("\(Self.api)/sign-in", .response(status: .forbidden, text: ""))

        let pages = [try await send(.get, "/", forwarded), try await send(.get, "/sign-in", forwarded)]
        let response = try await send(.post, "/sign-in", forwarded, body: "demo=mina")

        #expect(pages.allSatisfy { $0.status == .ok && !$0.text.contains("Mina") })
        #expect(response.status == .forbidden && response.headers[.setCookie] == nil)
        #expect(!executor.requestedURLs.contains { $0.contains("demo-people") })
    }

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable])
    func `A link stays in the form if the sign-in can be repeated`(status: HTTPResponse.Status) async throws {
        executor.script("\(Self.api)/sign-in", .response(status: status, text: ""))

        let response = try await send(.post, "/sign-in", body: "secret=hidden")

        #expect(response.text.contains(#"value="hidden""#))
    }

    @Test(arguments: ["/sign-in", "/language"]) func `A form that is too long is refused`(path: String) async throws {
        let response = try await send(.post, path, body: String(repeating: "a", count: 4_097))

        #expect(response.status == .contentTooLarge)
    }

    @Test(arguments: ["demo=mina", "secret=hidden"])
    func `An exchange with a secret or a token in its body is not recorded`(body: String) async throws {
        _ = try await send(.post, "/sign-in", body: body)

        #expect(executor.requests.map(\.containsSecrets) == [true])
    }
}
