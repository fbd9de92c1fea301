import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

@testable import Window

/// Tests of pages in the language that the browser prefers.
@Suite struct LanguagePagesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer

    init() async throws {
        server = try await WindowServer(executor: executor)
        executor.script(
            "http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/1.xml"), ("2", "http://a.org/2.xml")])))
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup")))
        executor.script("http://a.org/2.xml", .response(status: .internalServerError))
    }

    private func get(_ path: String, language: String?) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.acceptLanguage] = language
        return try await server.application.test(.router) { [headers] in
            try await $0.execute(uri: path, method: .get, headers: headers)
        }
    }

    @Test(arguments: ["/", "/orders", "/orders/1", "/nowhere", "/orders/none", "/orders/4711"])
    func `Every page is in the preferred language and declares it`(path: String) async throws {
        for (acceptLanguage, tag) in [
            ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-US,en;q=0.9", "en"), (nil, "en"), ("fr", "en"), ("zh-TW", "zh-Hant"), ("ar-EG", "ar"),
        ] {
            let page = try await get(path, language: acceptLanguage)

            #expect(page.headers[.contentLanguage] == tag)
            #expect(page.headers[.vary]?.hasPrefix("Accept-Language, Cookie, *") == true)
            #expect(page.text.contains("<html lang=\"\(tag)\" dir=\"\(tag == "ar" ? "rtl" : "ltr")\">"))
        }
    }

    @Test func `A German list has German words, numbers and reasons`() async throws {
        let page = try await get("/orders?plain=1", language: "de").text

        for text in [
            "2 Bestellungen", "12,50", "1 Artikel", "1–2 von 2", "Bestellung 2", "der Server hat mit 500 geantwortet: /2.xml", "Nochmal",
        ] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test func `A German order has German words`() async throws {
        let page = try await get("/orders/1?plain=1", language: "de").text

        for text in ["Im Umkreis von 1 km", "Von diesem Ort gibt es keine Karte.", "Navigieren", "Unbekannter Artikel"] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test func `A right-to-left page isolates prices and foreign texts`() async throws {
        let list = try await get("/orders?plain=1", language: "ar").text
        let order = try await get("/orders/1?plain=1", language: "ar").text

        for text in [
            "طلبان", "صنف واحد", "<bdi dir=\"ltr\">12.50 ", "dir=\"auto\"><a href=\"/orders/1\">Soup</a>",
            "أجاب الخادم بـ \u{2068}500\u{2069}",
        ] {
            #expect(list.contains(text), "\(text)")
        }
        for text in ["<h1 dir=\"auto\">Soup</h1>", "<dd dir=\"auto\">1 Main Street</dd>", "ضمن نطاق \u{2068}1 كم\u{2069}"] {
            #expect(order.contains(text), "\(text)")
        }
    }

    @Test func `Assets vary by content coding only`() async throws {
        let page = try await get("/", language: "de").text
        let asset = try #require(page.firstMatch(of: /\/assets\/[0-9a-f]+\/app\.css/)).output

        for path in [String(asset), "/tiles/0/0/0"] {
            let response = try await get(path, language: "de")
            #expect(response.status == .ok)
            #expect(["Accept-Encoding", nil].contains(response.headers[.vary]))
            #expect(response.headers[.contentLanguage] == nil)
        }
    }
}
