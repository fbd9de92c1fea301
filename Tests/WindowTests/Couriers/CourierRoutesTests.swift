import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// The pages and writes of signed-in people, as served to a client.
@Suite struct CourierRoutesTests {
    private static let order = """
        {"id":3,"state":"STATE","fence":4,"version":"4.3","title":"Breakfast <b>","note":"Ring","price":"12.50","currency":"USD","deliveryTime":"","due":null,
        "destination":{"address":"1 Ash Street","latitude":40.7,"longitude":-74.0,"radius":2,"radiusUnit":"km"},
        "items":[{"id":1,"quantity":"2","unit":"pc."}],"hasPin":true,"holder":HOLDER,"leaseEnd":null,"deadline":null,"attempts":0}
        """
    private static let api = "http://a.org/api/v1"

    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private let signedIn: HTTPFields = [.cookie: "token=secret", .accept: "text/html"]

    init() async throws {
        server = try await WindowServer(executor: executor, hasAccounts: true)
        executor.script("\(Self.api)/me", .response(text: #"{"id":"mina","name":"Mina","role":"courier"}"#))
        let open = Self.order.replacing("STATE", with: "open").replacing("HOLDER", with: "null")
        executor.script(
            "\(Self.api)/orders?limit=50&scope=open&sort=id", .response(text: #"{"position":"e:1","next":null,"orders":[\#(open)]}"#))
        executor.script("\(Self.api)/changes", .response(text: #"{"position":"e:1"}"#))
        let own = Self.order.replacing("STATE", with: "claimed").replacing("HOLDER", with: #"{"id":"mina","name":"Mina"}"#)
        executor.script("\(Self.api)/orders/3", .response(text: own))
        executor.script(
            "\(Self.api)/orders/3/history",
            .response(
                text: """
                    {"holder":{"id":"mina","name":"Mina"},"heldSince":null,"reports":[],
                    "events":[{"action":"claim","actionTime":"1970-01-01T01:00:00.000Z","actor":"mina"}]}
                    """))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, body: String? = nil
    ) async throws -> TestResponse {
        try await server.application.test(.router) {
            try await $0.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    private var formToken: String { FormToken.token(for: "secret") }

    // MARK: Pages

    @Test func `A courier sees open orders, which can be taken, with escaped texts`() async throws {
        let page = try await send(.get, "/orders?plain=1", signedIn)

        #expect(page.status == .ok)
        #expect(page.text.contains("Breakfast &lt;b&gt;"))
        #expect(page.text.contains(#"action="/orders/3/claim""#))
        #expect(page.text.contains(formToken))
    }

    @Test func `Nobody else sees the orders of couriers`() async throws {
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([])))
        executor.script("\(Self.api)/me", .response(status: .unauthorized, text: ""))

        let list = try await send(.get, "/orders?plain=1", signedIn)
        let own = try await send(.get, "/my-orders", [.accept: "text/html"])

        #expect(!list.text.contains("Breakfast"))
        #expect(own.status == .seeOther && own.headers[.location] == "/sign-in")
    }

    @Test func `The page of an order has the steps of its state, and what happened`() async throws {
        let page = try await send(.get, "/orders/3?plain=1", signedIn)

        #expect(page.text.contains(#"data-standing="claimed""#))
        #expect(page.text.contains(#"name="fence" value="4""#))
        #expect(page.text.contains("<b>Taken</b>"))
        #expect(page.text.contains(#"name="pin""#))
    }

    @Test func `A page of a courier renews the cookie`() async throws {
        executor.script(
            "\(Self.api)/orders?limit=50&scope=mine&sort=id", .response(text: #"{"position":"e:1","next":null,"orders":[]}"#))

        for path in ["/orders?plain=1", "/my-orders?plain=1", "/orders/3?plain=1"] {
            #expect(try await send(.get, path, signedIn).headers[.setCookie]?.hasPrefix("token=secret; ") == true, "\(path)")
        }

        executor.script("\(Self.api)/me", .response(status: .unauthorized, text: ""))
        #expect(try await send(.get, "/orders?plain=1", signedIn).headers[.setCookie] == nil)
    }

    @Test func `All open orders can be reached without scripts`() async throws {
        let list = "limit=50&scope=open&sort=id"
        executor.script("\(Self.api)/orders?\(list)", .response(text: CourierWire.page(1...50, next: "c")))
        executor.script("\(Self.api)/orders?after=c&\(list)", .response(text: CourierWire.page(51...80)))

        let second = try await send(.get, "/orders?plain=1&from=30", signedIn).text
        let third = try await send(.get, "/orders?plain=1&from=60", signedIn).text

        #expect(second.contains(#"id="row-31""#) && second.contains(#"id="row-60""#) && !second.contains(#"id="row-61""#))
        #expect(second.contains(#"rel="next" href="/orders?plain=1&amp;from=60""#))
        #expect(third.contains(#"id="row-61""#) && third.contains(#"id="row-80""#) && !third.contains(#"rel="next""#))
    }

    @Test func `A plain page has a next page while the list goes on`() async throws {
        executor.script("\(Self.api)/orders?limit=50&scope=open&sort=id", .response(text: CourierWire.page(1...30, next: "c")))

        #expect(try await send(.get, "/orders?plain=1", signedIn).text.contains(#"rel="next""#))
    }

    @Test(arguments: ["/orders", "/orders/3"])
    func `A page that the worker fetches has its time, and no session`(path: String) async throws {
        let fetched = try await send(.get, "\(path)?offline=1", signedIn).text
        let opened = try await send(.get, path, signedIn).text

        #expect(fetched.contains(" data-stored-at=\"7200000\"") && fetched.contains(" data-window=\"\""))
        #expect(!opened.contains(" data-stored-at") && !opened.contains(" data-window=\"\""))
        #expect(fetched.contains(" data-list=\"\"") == (path == "/orders"))
        #expect(opened.contains(" data-list=\"1\"") == (path == "/orders"))
    }

    @Test func `The button of new rows refreshes the lists of couriers only`() async throws {
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([])))

        let own = try await send(.get, "/orders", signedIn).text
        let everybodys = try await send(.get, "/orders", [.accept: "text/html"]).text

        #expect(own.contains(#"id="new-rows" data-refreshes></button>"#))
        #expect(everybodys.contains(#"id="new-rows"></button>"#))
    }

    @Test func `The page of an order shows its delivery window beside the due time`() async throws {
        let own = Self.order.replacing("STATE", with: "open").replacing("HOLDER", with: "null")
            .replacing(#""due":null"#, with: #""due":"1970-01-02T16:00:00Z""#)
        executor.script(
            "\(Self.api)/orders/3", .response(text: own.replacing(#""deliveryTime":"""#, with: #""deliveryTime":"Friday <b>""#)))

        let page = try await send(.get, "/orders/3?plain=1", signedIn)

        #expect(page.text.contains(#"<dd dir="auto">Friday &lt;b&gt;</dd>"#))
        #expect(page.text.contains(#"<time datetime="1970-01-02T16:00Z">"#))
    }

    // MARK: Writes

    @Test func `A script's write is forwarded with the token of the cookie, and answered as the API does`() async throws {
        executor.script(
            "\(Self.api)/orders/3/arrive",
            .response(
                status: .conflict, headers: [.contentType: "application/problem+json"], text: #"{"type":"urn:lading:problem:wrong-state"}"#)
        )
        var headers = signedIn
        headers[HTTPField.Name("Sec-Fetch-Site")!] = "same-origin"
        headers[.contentType] = "application/json"
        headers[HTTPField.Name("Idempotency-Key")!] = "k"
        headers[HTTPField.Name("Lading-Person")!] = "mina"
        headers[.ifMatch] = "\"4\""

        let response = try await send(.post, "/orders/3/arrive", headers, body: #"{"at":"2026-01-01T00:00:00Z"}"#)

        #expect(response.status == .conflict && response.text.contains("wrong-state"))
        let request = try #require(executor.requests.last)
        #expect(request.headers[.authorization] == "Bearer secret")
        #expect(request.headers[.ifMatch] == "\"4\"")
        #expect(request.headers[HTTPField.Name("Lading-Person")!] == "mina")
        #expect(request.headers[.cookie] == nil)
    }

    @Test func `A person who sends many photos at once tries again later, and commands do not wait for them`() async throws {
        let gate = Gate()
        executor.script("\(Self.api)/orders/3/proofs/d?kind=photo", .response(status: .noContent), behind: gate)
        executor.script("\(Self.api)/orders/3/claim", .response(text: "{}"))
        var headers = signedIn
        headers[HTTPField.Name("Sec-Fetch-Site")!] = "same-origin"
        headers[.contentType] = "application/partial-upload"
        try await server.application.test(.router) { [headers] client in
            @Sendable func send(_ method: HTTPRequest.Method, _ path: String, length: Int) async throws -> TestResponse {
                try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(repeating: 0, count: length))
            }
            @Sendable func sendPhoto() async throws -> TestResponse {
                try await send(.patch, "/orders/3/proofs/d?kind=photo", length: 20_000)
            }
            let uploads = (0..<UploadCounts.limit).map { _ in Task { try await sendPhoto().status } }
            await gate.waitForWaiters(count: UploadCounts.limit)

            let refused = try await sendPhoto()
            let claim = try await send(.post, "/orders/3/claim", length: 2)
            gate.open()

            #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "10")
            #expect(claim.status == .ok)
            for upload in uploads { #expect(try await upload.value == .noContent) }
        }
    }

    @Test func `A write without the proof of an own page is refused and not forwarded`() async throws {
        let response = try await send(
            .post, "/orders/3/arrive", [.cookie: "token=secret", .contentType: "application/json"], body: "{}")

        #expect(response.status == .forbidden)
        #expect(executor.requests.isEmpty)
    }

    @Test func `A write of nobody waits for a sign-in, and is not forwarded`() async throws {
        let response = try await send(
            .post, "/orders/3/arrive", [HTTPField.Name("Sec-Fetch-Site")!: "same-origin", .contentType: "application/json"], body: "{}")

        #expect(response.status == .unauthorized)
        #expect(executor.requests.isEmpty)
    }

    @Test func `A form is sent as a command, with missing items`() async throws {
        executor.script("\(Self.api)/orders/3/pick-up", .response(text: #"{"outcome":"accepted"}"#))
        var headers = signedIn
        headers[.contentType] = "application/x-www-form-urlencoded"

        let response = try await send(.post, "/orders/3/pick-up", headers, body: "key=k&fence=4&token=\(formToken)")

        #expect(response.status == .seeOther && response.headers[.location] == "/orders/3?plain=1")
        let request = try #require(executor.requests.last)
        #expect(request.headers[HTTPField.Name("Idempotency-Key")!] == "k")
        #expect(request.body.bytes == Array(#"{"missingItems":["1"]}"#.utf8))
    }

    @Test(
        arguments: [
            ("wrong-state", #""state":"cancelled""#, "not accepted: the order is “Cancelled” now"),
            ("stale-fence", #""fence":5"#, "not accepted: somebody else has had the order since"),
            ("pin-wrong", #""attemptsLeft":4"#, "not accepted: the PIN is wrong."),
            ("taken", #""holder":{"id":"jonas","name":"Jonas"},"at":"1970-01-01T01:00:00Z""#, ">Taken by Jonas at "),
            ("too-many-reports", #""detail":"""#, "not accepted: too many of your reports about this order wait for the dispatcher."),
            ("too-many-claims", #""detail":"""#, "You have had this order too often."),
            ("unheard-of", #""detail":"""#, "not accepted: the order has changed meanwhile"),
        ])
    func `A refused form says the reason`(type: String, facts: String, words: String) async throws {
        executor.script(
            "\(Self.api)/orders/3/arrive",
            .response(
                status: .conflict, headers: [.contentType: "application/problem+json"],
                text: #"{"type":"urn:lading:problem:\#(type)",\#(facts)}"#))
        var headers = signedIn
        headers[.contentType] = "application/x-www-form-urlencoded"

        let response = try await send(.post, "/orders/3/arrive", headers, body: "key=k&fence=4&token=\(formToken)")

        #expect(response.status == .conflict && response.text.contains(words))
    }

    @Test(arguments: ["", "token=wrong"])
    func `A forged form is refused`(field: String) async throws {
        var headers = signedIn
        headers[.contentType] = "application/x-www-form-urlencoded"

        let response = try await send(.post, "/orders/3/arrive", headers, body: "key=k&fence=4&\(field)")

        #expect(response.status == .forbidden)
        #expect(!executor.requestedURLs.contains("\(Self.api)/orders/3/arrive"))
    }

    private func sendForm(_ path: String, _ fields: String, token: String? = nil) async throws -> TestResponse {
        var headers = signedIn
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers, body: "key=k&fence=4&token=\(token ?? formToken)&\(fields)")
    }

    @Test func `A form is not read for somebody who is not signed in`() async throws {
        executor.script("\(Self.api)/me", .response(status: .unauthorized, text: ""))

        let response = try await sendForm("/orders/3/deliver", "note=\(String(repeating: "a", count: 100_000))", token: "forged")

        #expect(response.status == .seeOther && response.headers[.location] == "/sign-in")
    }

    /// Sends the form of a delivery, whose photo comes first, as that of the page.
    private func sendDelivery(photoLength: Int, note: String) async throws -> TestResponse {
        func part(_ name: String, _ value: String, file: String = "") -> String {
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(value)\r\n"
        }
        let photo = part("photo", String(repeating: "x", count: photoLength), file: "; filename=\"p.png\"")
        let body = photo + part("note", note) + part("key", "k") + part("fence", "4") + part("token", formToken) + "--b--"
        var headers = signedIn
        headers[.contentType] = "multipart/form-data; boundary=b"
        return try await send(.post, "/orders/3/deliver", headers, body: body)
    }

    @Test func `Only the form of a delivery with a photo may be longer than 64 KiB`() async throws {
        executor.script("\(Self.api)/orders/3/attempt", .response(text: #"{"outcome":"accepted"}"#))
        func status(_ step: String, noteLength: Int) async throws -> HTTPResponse.Status {
            try await sendForm("/orders/3/\(step)", "note=\(String(repeating: "a", count: noteLength))").status
        }

        #expect(try await status("attempt", noteLength: 60_000) == .seeOther)
        #expect(try await status("attempt", noteLength: 70_000) == .contentTooLarge)
        #expect(try await status("deliver", noteLength: 70_000) == .contentTooLarge)
        #expect(try await sendDelivery(photoLength: 70_000, note: "Gate closed").status != .contentTooLarge)
    }

    @Test func `While nobody can be identified a form keeps the entries beside its photo, and the limits apply`() async throws {
        executor.script("\(Self.api)/me", .failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))))

        let photo = try await sendDelivery(photoLength: 1_000_000, note: "Gate closed")
        let fields = try await sendForm("/orders/3/deliver", String(repeating: "a&", count: 500_000))
        let longPhoto = try await sendDelivery(photoLength: 9_000_000, note: "Gate closed")

        #expect(photo.status == .badGateway && photo.text.contains("Gate closed") && photo.text.contains(#"name="key" value="k""#))
        #expect(!photo.text.contains("xxxx"))
        #expect(fields.status == .contentTooLarge && longPhoto.status == .contentTooLarge)
    }

    @Test func `A form keeps what was entered while nobody can be identified`() async throws {
        executor.script("\(Self.api)/me", .failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))))

        let response = try await sendForm("/orders/3/attempt", "note=Gate+closed")

        #expect(response.status == .badGateway && response.text.contains("Gate closed"))
    }

    @Test func `A form that cannot be delivered says so and keeps what was entered`() async throws {
        executor.script(
            "\(Self.api)/orders/3/attempt",
            .failure(BackendError.unreachable(URL(string: "http://a.org")!, cause: CocoaError(.fileNoSuchFile))))
        var headers = signedIn
        headers[.contentType] = "application/x-www-form-urlencoded"

        let response = try await send(
            .post, "/orders/3/attempt", headers, body: "key=k&fence=4&token=\(formToken)&reason=noAccess&note=Gate+closed")

        #expect(response.status == .badGateway)
        #expect(response.text.contains("Not sent: the server could not be reached."))
        #expect(response.text.contains(#"name="reason" value="noAccess""#) && response.text.contains("No access"))
        #expect(response.text.contains(#"name="key" value="k""#) && response.text.contains("Gate closed"))
    }
}

// MARK: - Sessions

extension CourierRoutesTests {
    @Test(arguments: [#""screen":"board","first":0,"last":9"#, #""screen":"courier-order","row":"3""#])
    func `The session of a page is only for the token that the page was made for`(description: String) async throws {
        try await server.application.test(.router) { client in
            func send(
                _ method: HTTPRequest.Method, _ path: String, cookie: String?, _ body: String? = nil
            ) async throws -> TestResponse {
                var headers: HTTPFields = [.contentType: "application/json"]
                headers[.cookie] = cookie
                return try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
            }
            let opened = try await send(.post, "/windows", cookie: "token=secret", "{\(description)}")
            let window = try #require(opened.text.firstMatch(of: /"window":"([0-9a-f-]+)"/)).output.1.description
            let reconnection = #"{"window":"\#(window)",\#(description)}"#

            for cookie in [nil, "token=other"] {
                let post = try await send(.post, "/windows/\(window)/refresh", cookie: cookie, "{}")
                try #require(post.status == .gone)
                #expect(try await send(.get, "/windows/\(window)/events?after=-1", cookie: cookie).status == .gone)
                #expect(try await send(.post, "/windows", cookie: cookie, reconnection).status == .unauthorized)
            }

            #expect(try await send(.post, "/windows/\(window)/refresh", cookie: "token=secret", "{}").status == .noContent)
            let reconnected = try await send(.post, "/windows", cookie: "token=secret", reconnection)
            #expect(reconnected.status == .ok && reconnected.text.contains(window))
        }
    }
}
