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
    private static let api = "http://a.org/api/v1"

    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private var headers: HTTPFields = [.cookie: "token=secret", .accept: "text/html", .contentType: "application/x-www-form-urlencoded"]
    private var formToken: String { FormToken.token(for: "secret") }

    init() async throws {
        server = try await WindowServer(executor: executor, hasAccounts: true)
        executor.script("\(Self.api)/me", .response(text: #"{"id":"ada","name":"Ada","role":"dispatcher"}"#))
        executor.script("\(Self.api)/changes", .response(text: #"{"position":"e:1"}"#))
        executor.script("\(Self.api)/people", .response(text: #"{"people":[{"id":"mina","name":"Mina","role":"courier"}]}"#))
        executor.script(
            "\(Self.api)/counts",
            .response(text: #"{"states":[{"state":"open","count":2}],"attention":1,"couriers":[{"id":"mina","count":3}]}"#))
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

    private static let order = """
        {"id":3,"state":"claimed","fence":4,"version":"4.3","title":"Breakfast <b>","note":"Ring","price":"12.50","currency":"USD",
        "deliveryTime":"","due":null,"destination":{"address":"1 Ash Street","latitude":40.7,"longitude":-74.0,"radius":2,"radiusUnit":"km"},
        "items":[],"hasPin":false,"holder":{"id":"mina","name":"Mina"},"leaseEnd":null,"deadline":null,"attempts":0,"openReports":1,
        "attention":["report"]}
        """

    private func send(_ method: HTTPRequest.Method, _ path: String, body: String? = nil) async throws -> TestResponse {
        try await server.application.test(.router) {
            try await $0.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test func `The table has counts, orders with their reasons, and couriers with their load`() async throws {
        executor.script(
            "\(Self.api)/orders?limit=50&scope=attention&sort=due",
            .response(text: #"{"position":"e:1","next":"abc","orders":[\#(Self.order)]}"#))

        let page = try await send(.get, "/dispatch?plain=1")

        #expect(page.status == .ok)
        #expect(page.text.contains("Breakfast &lt;b&gt;") && page.text.contains("Report to settle"))
        #expect(page.text.contains("Needs attention <b>1</b>") && page.text.contains("3 orders"))
        #expect(page.text.contains("/dispatch?show=attention&amp;sort=due&amp;after=abc"))
    }

    @Test func `The page of an order has its history, and the forms that are possible`() async throws {
        let page = try await send(.get, "/dispatch/orders/3?plain=1")

        #expect(page.text.contains("/dispatch/orders/3/reassign") && page.text.contains("/dispatch/orders/3/cancel"))
        #expect(!page.text.contains("/dispatch/orders/3/correct"))
        #expect(page.text.contains(#"name="report" value="1""#))
        #expect(page.text.contains("<b>Taken</b>"))
    }

    @Test func `Couriers and others are sent to their own pages`() async throws {
        executor.script("\(Self.api)/me", .response(text: #"{"id":"mina","name":"Mina","role":"courier"}"#))
        #expect(try await send(.get, "/dispatch").headers[.location] == "/orders")
        executor.script("\(Self.api)/me", .response(status: .unauthorized, text: ""))
        #expect(try await send(.get, "/dispatch").headers[.location] == "/sign-in")
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

    @Test(arguments: ["", "token=wrong"])
    func `A forged form is refused and not sent`(field: String) async throws {
        let response = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k&\(field)")

        #expect(response.status == .forbidden)
        #expect(executor.requests.isEmpty)
    }

    @Test func `A refused command shows the order as it is now`() async throws {
        executor.script(
            "\(Self.api)/orders/3/cancel",
            .response(
                status: .conflict, headers: [.contentType: "application/problem+json"], text: #"{"type":"urn:lading:problem:wrong-state"}"#)
        )

        let response = try await send(.post, "/dispatch/orders/3/cancel", body: "key=k&token=\(formToken)")

        #expect(response.status == .conflict && response.text.contains("the order has changed meanwhile"))
    }

    @Test func `A form that could not be delivered is shown again with its key`() async throws {
        executor.script("\(Self.api)/me", .failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))))

        let response = try await send(.post, "/dispatch/orders/3/edit", body: "key=k&title=Soup&token=\(formToken)")

        #expect(response.status == .badGateway && response.text.contains("Not sent"))
        #expect(response.text.contains(#"name="key" value="k""#) && response.text.contains("<dd dir=\"auto\">Soup</dd>"))
        #expect(response.text.contains(#"action="/dispatch/orders/3/edit""#))
    }
}
