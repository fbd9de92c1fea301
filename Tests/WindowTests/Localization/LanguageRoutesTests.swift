import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// Selection of a language by the user.
@Suite struct LanguageRoutesTests {
    private let server: WindowServer

    init() async throws {
        let executor = ScriptedExecutor()
        server = try await WindowServer(executor: executor)
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/1.xml")])))
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup")))
    }

    private func choose(_ form: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) {
            try await $0.execute(uri: "/language", method: .post, headers: headers, body: ByteBuffer(string: form))
        }
    }

    private func get(_ path: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    @Test func `A choice is stored for a year and redirects back`() async throws {
        let response = try await choose("to=ar&back=%2Forders%3Ffrom%3D40%26sort%3Dprice")
        let cookie = try #require(response.headers[.setCookie])

        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/orders?from=40&sort=price")
        #expect(cookie.hasPrefix("language=ar;"))
        for attribute in ["Max-Age=31536000", "Path=/", "HttpOnly", "SameSite=Lax"] { #expect(cookie.contains(attribute)) }
        #expect(!cookie.contains("Secure"))
    }

    @Test func `The cookie is secure behind TLS`() async throws {
        let proxied = try await choose("to=de", [.origin: "https://orders.example.org"])

        #expect(proxied.headers[.setCookie] == nil, "another server than the page's is refused")
        let own = try await server.application.test(.live) {
            try await $0.execute(
                uri: "/language", method: .post, headers: [.origin: "https://localhost"], body: ByteBuffer(string: "to=de"))
        }
        #expect(own.headers[.setCookie]?.contains("Secure") == true)
    }

    @Test(arguments: ["to=fr&back=/orders", "to=&back=/orders", "back=/orders", "to=de_DE&back=/orders", "to=DE&back=/orders"])
    func `An unsupported language sets no cookie`(form: String) async throws {
        let response = try await choose(form)

        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/orders")
        #expect(response.headers[.setCookie] == nil)
    }

    @Test(arguments: [
        nil, "", "orders", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "/\t/evil.example",
        "/ /evil.example",
        "/\r\nSet-Cookie: a=b", "/ö", "javascript:alert(1)", "/" + String(repeating: "a", count: 2_048),
    ])
    func `A redirect to another server is refused`(back: String?) {
        #expect(LanguageRoutes.localPath(back) == "/")
    }

    @Test(arguments: ["/", "/orders", "/orders?from=40&search=M%C3%BCller&sort=price", "/orders/7"])
    func `A local path is accepted as a redirect`(back: String) {
        #expect(LanguageRoutes.localPath(back) == back)
    }

    @Test func `A cross-origin page cannot choose a language`() async throws {
        let response = try await choose("to=ar", [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"])

        #expect(response.status == .forbidden)
        #expect(response.headers[.setCookie] == nil)
    }

    @Test func `A GET request chooses no language`() async throws {
        let response = try await get("/language?to=ar&back=/orders", [:])

        #expect(response.status == .notFound)
        #expect(response.headers[.setCookie] == nil)
    }

    @Test func `The chosen language overrides the Accept-Language field`() async throws {
        #expect(try await get("/orders", [.cookie: "language=zh-Hant", .acceptLanguage: "de"]).headers[.contentLanguage] == "zh-Hant")
        #expect(try await get("/nowhere", [.cookie: "a=b; language=ar", .acceptLanguage: "de"]).headers[.contentLanguage] == "ar")
        #expect(try await get("/orders", [.cookie: "language=fr", .acceptLanguage: "de"]).headers[.contentLanguage] == "de")
        #expect(try await get("/orders", [.cookie: "language", .acceptLanguage: "de"]).headers[.contentLanguage] == "de")
    }

    @Test func `The start page lists the languages by native name and marks the current one`() async throws {
        let page = try await get("/", [.cookie: "language=de"]).text

        for (tag, name) in [("en", "English"), ("zh-Hant", "繁體中文"), ("ar", "العربية")] {
            #expect(page.contains(#"value="\#(tag)" lang="\#(tag)" dir="\#(tag == "ar" ? "rtl" : "ltr")">\#(name)<"#))
        }
        #expect(page.contains(#"value="de" lang="de" dir="ltr" aria-current="true">Deutsch<"#))
    }

    @Test func `A reopened stream reports the chosen language`() async throws {
        try await server.application.test(.router) { client in
            func open(_ headers: HTTPFields) async throws -> String {
                let body = ByteBuffer(string: #"{"screen":"orders","first":0,"last":9}"#)
                return try await client.execute(uri: "/windows", method: .post, headers: headers, body: body).text
            }

            let chosen = try await open([.cookie: "language=ar", .acceptLanguage: "de"])
            let preferred = try await open([.acceptLanguage: "de"])

            #expect(chosen.contains(#""language":"ar""#))
            #expect(!preferred.contains("language"))
        }
    }
}
