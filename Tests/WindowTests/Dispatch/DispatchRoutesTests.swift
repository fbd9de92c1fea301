import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// The pages and forms of dispatchers, as served to a client.
@Suite struct DispatchRoutesTests {
    static let api = "http://a.org/api/v1"

    let executor = ScriptedExecutor()
    let server: WindowServer
    private var headers: HTTPFields = [.cookie: "token=secret", .accept: "text/html", .contentType: "application/x-www-form-urlencoded"]
    private var formToken: String { FormToken.token(for: "secret") }

    init() async throws {
        server = try await WindowServer(executor: executor, hasAccounts: true)
        executor.script("\(Self.api)/me", .response(text: #"{"id":"ada","name":"Ada","role":"dispatcher"}"#))
        executor.script("\(Self.api)/changes", .response(text: #"{"position":"e:1"}"#))
        executor.script("\(Self.api)/people", .response(text: #"{"people":[{"id":"mina","name":"Mina","role":"courier"}]}"#))
        executor.script("\(Self.api)/orders/3", .response(text: Self.order))
        executor.script(
            "\(Self.api)/orders/3/history",
            .response(
                text: """
                    {"holder":{"id":"mina","name":"Mina"},"heldSince":null,"events":[{"action":"claim","actionTime":"1970-01-01T01:00:00.000Z",
                    "actor":"mina","holder":"mina"}],"reports":[{"number":1,"settled":false,"action":"pickUp","actor":"mina","cause":"staleFence",
                    "actionTime":"1970-01-01T01:00:00.000Z"}],"proofs":[]}
                    """))
    }

    static let tableURL = "\(api)/orders?counts=true&limit=50&scope=attention&sort=due"

    static let counts = #"{"states":[{"state":"open","count":2}],"attention":1,"couriers":[{"id":"mina","count":3}]}"#

    /// Returns the response of the API to the request for the table.
    static func tableResponse(
        next: String = "null", counts: String = counts, orders: String = order
    ) -> ScriptedExecutor.Response {
        .response(text: #"{"position":"e:1","next":\#(next),"counts":\#(counts),"orders":[\#(orders)]}"#)
    }

    static let order = """
        {"id":3,"state":"claimed","fence":4,"version":"4.3","title":"Breakfast <b>","note":"Ring","price":"12.50","currency":"USD",
        "deliveryTime":"","due":null,"destination":{"address":"1 Ash Street","latitude":40.7,"longitude":-74.0,"radius":2,"radiusUnit":"km"},
        "items":[],"hasPin":false,"holder":{"id":"mina","name":"Mina"},"leaseEnd":null,"deadline":null,"attempts":0,"openReports":1,
        "attention":["report"]}
        """

    func send(
        _ method: HTTPRequest.Method, _ path: String, language: String = "en", _ fields: HTTPFields = [:], body: String? = nil
    ) async throws -> TestResponse {
        var headers = self.headers
        headers[.acceptLanguage] = language
        for field in fields { headers[field.name] = field.value }
        return try await server.application.test(.router) { [headers] in
            try await $0.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    /// Scripts a problem document of the API.
    func refuse(_ path: String, _ status: HTTPResponse.Status, _ type: String, _ facts: String = "") {
        executor.script(
            "\(Self.api)/\(path)",
            .response(
                status: status, headers: [.contentType: "application/problem+json"],
                text: #"{"type":"urn:lading:problem:\#(type)"\#(facts.isEmpty ? "" : ",")\#(facts)}"#))
    }

    @Test func `The table has counts, orders with their reasons, and couriers with their load`() async throws {
        executor.script(Self.tableURL, Self.tableResponse(next: #""abc""#))

        let page = try await send(.get, "/dispatch?plain=1")

        #expect(page.status == .ok)
        #expect(page.text.contains("Breakfast &lt;b&gt;") && page.text.contains("Report to settle"))
        #expect(page.text.contains("Needs attention <b>1</b>") && page.text.contains("3 orders"))
        #expect(page.text.contains("/dispatch?show=attention&amp;sort=due&amp;after=abc"))
    }

    @Test func `Numbers and places beyond all limits are displayed`() async throws {
        let counts = """
            {"states":[{"state":"open","count":\(Int.max)},{"state":"claimed","count":\(Int.max)}],"attention":\(Int.min),
            "couriers":[{"id":"mina","count":\(Int.max)}]}
            """
        executor.script(Self.tableURL, Self.tableResponse(counts: counts))
        executor.script(
            "\(Self.api)/people",
            .response(
                text: """
                    {"people":[{"id":"mina","name":"Mina","role":"courier",
                    "position":{"latitude":40.7,"longitude":1e300,"at":"1970-01-01T01:00:00.000Z"}}]}
                    """))

        let page = try await send(.get, "/dispatch?plain=1")

        #expect(page.status == .ok && page.text.contains("Breakfast &lt;b&gt;"))
    }

    @Test func `A form with a place and an item beyond all limits is shown again`() async throws {
        let facts = #""field":"items.\#(Int.max).id","rule":{"code":"whole-number"}"#
        refuse("orders", .badRequest, "invalid-request", facts)

        let response = try await send(
            .post, "/dispatch/orders/new", body: "key=k&title=Soup&latitude=1&longitude=1e300&token=\(formToken)")

        #expect(response.status == .badRequest && response.text.contains("items.\(Int.max).id"))
    }

    @Test func `The page of an order has its history, and the forms that are possible`() async throws {
        let page = try await send(.get, "/dispatch/orders/3?plain=1")

        #expect(page.text.contains("/dispatch/orders/3/reassign") && page.text.contains("/dispatch/orders/3/cancel"))
        #expect(!page.text.contains("/dispatch/orders/3/correct"))
        #expect(page.text.contains(#"name="report" value="1""#))
        #expect(page.text.contains("<b>Taken</b>"))
        #expect(!page.text.contains("not shown"))
    }

    @Test func `The page of an order has the number of the entries that its history omits`() async throws {
        let text = """
            {"holder":null,"heldSince":null,"omittedEvents":2048,"events":[],"omittedReports":1,"reports":[{"number":2,"settled":true,
            "action":"pickUp","actor":"mina","cause":"staleFence","actionTime":"1970-01-01T01:00:00.000Z"}],"proofs":[]}
            """
        executor.script("\(Self.api)/orders/3/history", .response(text: text))

        let page = try await send(.get, "/dispatch/orders/3?plain=1")

        #expect(page.text.contains("<p>2,048 earlier entries are not shown.</p>"))
        #expect(page.text.contains("<p>1 earlier entry is not shown.</p>"))
    }

    @Test func `A page of a dispatcher renews the cookie, and nothing else does`() async throws {
        let page = try await send(.get, "/dispatch/orders/3?plain=1")
        let proof = try await send(.get, "/dispatch/orders/3/proofs/00")
        let forged = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k")

        #expect(page.headers[.setCookie]?.hasPrefix("token=secret; ") == true)
        #expect(proof.headers[.setCookie] == nil && forged.headers[.setCookie] == nil)
    }

    @Test(arguments: [("Friday afternoon", true), ("May, 15th 16:00", false)])
    func `An order shows its delivery window beside the due time, but no second date`(window: String, isShown: Bool) async throws {
        let content = Self.order.replacing(#""due":null"#, with: #""due":"1970-01-02T16:00:00Z""#)
        executor.script(
            "\(Self.api)/orders/3", .response(text: content.replacing(#""deliveryTime":"""#, with: #""deliveryTime":"\#(window)""#)))

        let page = try await send(.get, "/dispatch/orders/3?plain=1")

        #expect(page.text.contains(#"<dd dir="auto">\#(window)</dd>"#) == isShown)
        #expect(page.text.contains(#"<time datetime="1970-01-02T16:00Z">"#))
    }

    @Test func `Couriers and others are sent to their own pages`() async throws {
        executor.script("\(Self.api)/me", .response(text: #"{"id":"mina","name":"Mina","role":"courier"}"#))
        #expect(try await send(.get, "/dispatch").headers[.location] == "/orders")
        executor.script("\(Self.api)/me", .response(status: .unauthorized, text: ""))
        #expect(try await send(.get, "/dispatch").headers[.location] == "/sign-in")
    }

    @Test func `The table is read for dispatchers only`() async throws {
        executor.script(Self.tableURL, Self.tableResponse())
        let (me, courier) = ("\(Self.api)/me", #"{"id":"mina","name":"Mina","role":"courier"}"#)
        executor.script(me, .response(status: .unauthorized), .response(text: courier))

        let statuses = [try await send(.get, "/dispatch").status, try await send(.get, "/dispatch").status]

        #expect(statuses == [.seeOther, .seeOther])
        #expect(executor.requestedURLs == [me, me])
    }

    @Test func `A dispatcher's orders are those of the table`() async throws {
        #expect(try await send(.get, "/orders").headers[.location] == "/dispatch")
        #expect(try await send(.get, "/orders/3").headers[.location] == "/dispatch/orders/3")
    }

    @Test func `A command is sent with the key of its form`() async throws {
        executor.script("\(Self.api)/orders/3/accept", .response(text: #"{"outcome":"accepted"}"#))

        let response = try await send(.post, "/dispatch/orders/3/accept", body: "key=k&report=1&token=\(formToken)")

        #expect(response.status == .seeOther && response.headers[.location] == "/dispatch/orders/3")
        let request = try #require(executor.requests.last)
        #expect(request.headers[HTTPField.Name("Idempotency-Key")!] == "k")
        #expect(request.body.bytes == Array(#"{"report":1}"#.utf8))
    }

    @Test func `Exchanges with PINs of orders are not recorded, and others are`() async throws {
        executor.script(Self.tableURL, Self.tableResponse())
        executor.script("\(Self.api)/orders", .response(status: .created, text: #"{"order":3}"#))
        executor.script("\(Self.api)/orders/3/cancel", .response(text: #"{"outcome":"accepted"}"#))

        for path in ["/dispatch?plain=1", "/dispatch/orders/3?plain=1", "/dispatch/orders/3/edit"] {
            #expect(try await send(.get, path).status == .ok)
        }
        for (path, fields) in [("new", "title=Soup&pin=1234"), ("new", "title=Soup"), ("3/cancel", "a=b")] {
            let response = try await send(.post, "/dispatch/orders/\(path)", body: "key=k&\(fields)&token=\(formToken)")
            #expect(response.status == .seeOther)
        }
        _ = try await send(.post, "/dispatch/import?mode=preview", Self.ownPage, body: "x")

        let confidential = executor.requests.filter(\.containsSecrets).map { "\($0.method.rawValue) \($0.url.path)" }
        #expect(Set(confidential) == ["GET /api/v1/orders", "GET /api/v1/orders/3", "POST /api/v1/orders", "POST /api/v1/imports"])
        #expect(confidential.count { $0 == "POST /api/v1/orders" } == 1)
        #expect(executor.requests.contains { !$0.containsSecrets && $0.url.path.hasSuffix("/cancel") })
    }

    @Test(arguments: ["", "token=wrong"])
    func `A forged form is refused and not sent`(field: String) async throws {
        let response = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k&\(field)")

        #expect(response.status == .forbidden)
        #expect(executor.requests.isEmpty)
    }

    @Test func `A refused command names the state of the order and its last change`() async throws {
        refuse("orders/3/cancel", .conflict, "wrong-state", #""state":"delivered""#)

        let english = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k&token=\(formToken)")
        let german = try await send(.post, "/dispatch/orders/3/cancel", language: "de", body: "key=k&token=\(formToken)")

        #expect(english.status == .conflict && english.text.contains("Not done: the order is “Delivered” now."))
        #expect(german.text.contains("Nicht ausgeführt: Die Bestellung ist jetzt „Zugestellt“."))
        #expect(english.text.contains(#"Last change: Taken · <bdi><time datetime="1970-01-01T01:00Z">"#))
        #expect(english.text.contains(" · <bdi>Mina</bdi></p></div>"))
    }

    @Test(
        arguments: [
            (.forbidden, "wrong-role", "", "your role does not permit this"),
            (.unprocessableContent, "proof-required", "", "a delivery needs a proof, and the order has none"),
            (.conflict, "proof-missing", #""proof":"00""#, "a proof of the delivery is not stored yet. Try again later"),
            (.unprocessableContent, "holder-required", "", "Choose the courier"),
            (.notFound, "report-unknown", "", "the order has no such report"),
            (.unprocessableContent, "key-reused", "", "this form was sent before with other entries"),
            (.conflict, "rows-skipped", "", "without some of its rows. Import it with the earlier settings again"),
            (HTTPResponse.Status(code: 507), "disk-full", "", "disk is full"),
            (
                .badRequest, "invalid-request", #""detail":"","field":"courier","rule":{"code":"courier"}"#,
                "Not done: “Courier” must be a courier whose access was not revoked."
            ),
            (.conflict, "taken", #""holder":{"id":"jonas","name":"Jonas"},"at":"1970-01-01T01:00:00Z""#, "Taken by Jonas at "),
            (.conflict, "taken", #""holder":{"id":"jonas","name":null},"at":"1970-01-01T01:00:00Z""#, "Taken by somebody else"),
            (.conflict, "unheard-of", "", "Not done: the order has changed meanwhile."),
            (.conflict, "wrong-state", #""state":"unheard-of""#, "Not done: the order has changed meanwhile."),
        ] as [(HTTPResponse.Status, String, String, String)])
    func `A refused command says the reason`(status: HTTPResponse.Status, type: String, facts: String, words: String) async throws {
        refuse("orders/3/accept", status, type, facts)

        let response = try await send(.post, "/dispatch/orders/3/accept", body: "key=k&report=1&token=\(formToken)")

        #expect(response.status == status && response.text.contains(words))
    }

    @Test func `A refusal that is no problem document shows the general sentence`() async throws {
        executor.script("\(Self.api)/orders/3/cancel", .response(status: .conflict, text: "<html>"))

        let response = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k&token=\(formToken)")

        #expect(response.text.contains("Not done: the order has changed meanwhile."))
    }

    @Test(
        arguments: [
            ("en", #""field":"price","rule":{"code":"price"}"#, "Not saved: “Price” must be an amount such as 42.50"),
            ("de", #""field":"price","rule":{"code":"price"}"#, "Nicht gespeichert: „Preis“ muss ein Betrag wie 42.50 sein"),
            (
                "de", #""field":"pin","rule":{"code":"digit-count","minimum":3,"maximum":12}"#,
                "„PIN, die der Empfänger nennt“ muss 3 bis 12 Ziffern haben"
            ),
            ("en", #""field":"items.1.id","rule":{"code":"whole-number"}"#, "“Number of item 2” must be a whole number"),
            ("en", #""field":"x","rule":{"code":"out-of-range","minimum":-90,"maximum":1000000}"#, "“x” must be from -90 to 1,000,000"),
            ("en", #""field":"price","rule":{"code":"new"}"#, "Not saved: the server does not accept the entries (a detail)"),
        ])
    func `A refused entry names its field and rule in the language of the page`(
        language: String, facts: String, words: String
    ) async throws {
        refuse("orders", .badRequest, "invalid-request", #""detail":"a detail",\#(facts)"#)

        let response = try await send(.post, "/dispatch/orders/new", language: language, body: "key=k&title=Soup&token=\(formToken)")

        #expect(response.status == .badRequest && response.text.contains(words))
        #expect(response.text.contains(#"value="Soup""#))
    }

    @Test func `An edit of an order that has ended names its state`() async throws {
        executor.script(
            "\(Self.api)/orders/3",
            .response(status: .conflict, text: #"{"type":"urn:lading:problem:wrong-state","state":"delivered"}"#),
            .response(text: Self.order))

        let response = try await send(.post, "/dispatch/orders/3/edit", body: "key=k&title=Soup&version=4.3&token=\(formToken)")

        #expect(response.status == .conflict && response.text.contains("Not saved: the order is “Delivered” now"))
        #expect(response.text.contains(#"value="Soup""#))
    }

    @Test func `The number of the own system that another order has names that order`() async throws {
        refuse("orders", .conflict, "external-id-taken", #""order":17"#)

        let response = try await send(.post, "/dispatch/orders/new", body: "key=k&token=\(formToken)")

        #expect(response.text.contains("Not saved: order 17 already has this number of your own system"))
    }

    @Test func `A form that could not be delivered is shown again with its key`() async throws {
        executor.script("\(Self.api)/me", .failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))))

        let response = try await send(.post, "/dispatch/orders/3/edit", body: "key=k&title=Soup&token=\(formToken)")

        #expect(response.status == .badGateway && response.text.contains("Not sent"))
        #expect(response.text.contains(#"name="key" value="k""#) && response.text.contains("<dd dir=\"auto\">Soup</dd>"))
        #expect(response.text.contains(#"action="/dispatch/orders/3/edit""#))
    }

    /// An order that may have been created is not created again under another key.
    @Test(arguments: [
        ("orders", "/dispatch/orders/new", #"{"type":"urn:lading:problem:unavailable","final":false}"#, "database cannot be reached"),
        ("orders/3/cancel", "/dispatch/orders/3/cancel", "<html>", "503"),
    ])
    func `A form whose outcome is unknown keeps its key`(api: String, path: String, document: String, reason: String) async throws {
        executor.script("\(Self.api)/\(api)", .response(status: .serviceUnavailable, text: document))

        let response = try await send(.post, path, body: "key=k&title=Soup&token=\(formToken)")

        #expect(response.status == .serviceUnavailable && response.text.contains("Not sent: ") && response.text.contains(reason))
        #expect(response.text.contains(#"name="key" value="k""#) && response.text.contains("<dd dir=\"auto\">Soup</dd>"))
    }

    @Test func `A form of a page that is older than the sign-in is shown again, unless no page of the server sent it`() async throws {
        let body = "key=k&title=Soup&token=\(FormToken.token(for: "earlier"))"

        let own = try await send(.post, "/dispatch/orders/new", [HTTPField.Name("Sec-Fetch-Site")!: "same-origin"], body: body)
        let forged = try await send(.post, "/dispatch/orders/new", body: body)

        #expect(own.status == .forbidden && own.text.contains("you are signed out") && own.text.contains(formToken))
        #expect(forged.status == .forbidden && !forged.text.contains("Soup"))
    }
}
