import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// The choice of a language by hand.
@Suite struct LanguageRoutesTests {
    private let server: WindowServer

    init() async throws {
        let executor = ScriptedExecutor()
        server = try await WindowServer(showing: executor)
        executor.script("http://a.org/orders.plist", .reply(text: Wire.list([("1", "http://a.org/1.xml")])))
        executor.script("http://a.org/1.xml", .reply(text: Wire.order(title: "Soup")))
    }

    private func choose(_ form: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) {
            try await $0.execute(uri: "/language", method: .post, headers: headers, body: ByteBuffer(string: form))
        }
    }

    private func get(_ path: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    @Test func `A choice is remembered for a year, and leads back`() async throws {
        let reply = try await choose("to=ar&back=%2Forders%3Ffrom%3D40%26sort%3Dprice")
        let cookie = try #require(reply.headers[.setCookie])

        #expect(reply.status == .seeOther)
        #expect(reply.headers[.location] == "/orders?from=40&sort=price")
        #expect(cookie.hasPrefix("language=ar;"))
        for attribute in ["Max-Age=31536000", "Path=/", "HttpOnly", "SameSite=Lax"] { #expect(cookie.contains(attribute)) }
        #expect(!cookie.contains("Secure"))
    }

    @Test func `Behind TLS the cookie stays there, whoever speaks it`() async throws {
        let proxied = try await choose("to=de", [.origin: "https://orders.example.org"])

        #expect(proxied.headers[.setCookie] == nil, "another server than the page's is refused")
        let own = try await server.application.test(.live) {
            try await $0.execute(
                uri: "/language", method: .post, headers: [.origin: "https://localhost"], body: ByteBuffer(string: "to=de"))
        }
        #expect(own.headers[.setCookie]?.contains("Secure") == true)
    }

    @Test(arguments: ["to=fr&back=/orders", "to=&back=/orders", "back=/orders", "to=de_DE&back=/orders", "to=DE&back=/orders"])
    func `A language that is not spoken changes nothing`(form: String) async throws {
        let reply = try await choose(form)

        #expect(reply.status == .seeOther)
        #expect(reply.headers[.location] == "/orders")
        #expect(reply.headers[.setCookie] == nil)
    }

    @Test(arguments: [
        nil, "", "orders", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "/\t/evil.example",
        "/ /evil.example",
        "/\r\nSet-Cookie: a=b", "/ö", "javascript:alert(1)", "/" + String(repeating: "a", count: 2_048),
    ])
    func `The way back stays on this server`(back: String?) {
        #expect(LanguageRoutes.localPath(back) == "/")
    }

    @Test(arguments: ["/", "/orders", "/orders?from=40&search=M%C3%BCller&sort=price", "/orders/7"])
    func `A path of this server is a way back`(back: String) {
        #expect(LanguageRoutes.localPath(back) == back)
    }

    @Test func `A page of another server cannot choose`() async throws {
        let reply = try await choose("to=ar", [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"])

        #expect(reply.status == .forbidden)
        #expect(reply.headers[.setCookie] == nil)
    }

    @Test func `To look at the address chooses nothing`() async throws {
        let reply = try await get("/language?to=ar&back=/orders", [:])

        #expect(reply.status == .notFound)
        #expect(reply.headers[.setCookie] == nil)
    }

    @Test func `What was chosen goes before what the browser asks for`() async throws {
        #expect(try await get("/orders", [.cookie: "language=zh-Hant", .acceptLanguage: "de"]).headers[.contentLanguage] == "zh-Hant")
        #expect(try await get("/nowhere", [.cookie: "a=b; language=ar", .acceptLanguage: "de"]).headers[.contentLanguage] == "ar")
        #expect(try await get("/orders", [.cookie: "language=fr", .acceptLanguage: "de"]).headers[.contentLanguage] == "de")
        #expect(try await get("/orders", [.cookie: "language", .acceptLanguage: "de"]).headers[.contentLanguage] == "de")
    }

    @Test func `The start page names the languages in themselves, and which one it speaks`() async throws {
        let page = try await get("/", [.cookie: "language=de"]).text

        for (tag, name) in [("en", "English"), ("zh-Hant", "繁體中文"), ("ar", "العربية")] {
            #expect(page.contains(#"value="\#(tag)" lang="\#(tag)" dir="\#(tag == "ar" ? "rtl" : "ltr")">\#(name)<"#))
        }
        #expect(page.contains(#"value="de" lang="de" dir="ltr" aria-current="true">Deutsch<"#))
    }

    @Test func `A page that opens its stream anew learns which language was chosen meanwhile`() async throws {
        try await server.application.test(.router) { client in
            func open(_ headers: HTTPFields) async throws -> String {
                let body = ByteBuffer(string: #"{"screen":"orders","first":0,"last":9}"#)
                return try await client.execute(uri: "/windows", method: .post, headers: headers, body: body).text
            }

            let chosen = try await open([.cookie: "language=ar", .acceptLanguage: "de"])
            let asked = try await open([.acceptLanguage: "de"])

            #expect(chosen.contains(#""language":"ar""#))
            #expect(!asked.contains("language"))
        }
    }
}
