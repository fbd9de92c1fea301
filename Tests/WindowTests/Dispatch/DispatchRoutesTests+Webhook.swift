import HTTPTypes
import LadingTesting
import Testing

@testable import Window

// MARK: - The webhook

extension DispatchRoutesTests {
    private func table(_ webhook: String?, language: String = "en") async throws -> String {
        executor.script(Self.tableURL, Self.tableResponse(orders: ""))
        if let webhook { executor.script("\(Self.api)/webhook", .response(text: webhook)) }
        return try await send(.get, "/dispatch?plain=1", language: language).text
    }

    @Test func `Without a webhook the table shows nothing of it`() async throws {
        #expect(!(try await table(nil).contains("webhook")))
    }

    @Test func `A webhook whose events are accepted says so, with the time of the last one`() async throws {
        let text = try await table(
            """
            {"url":"","pending":1,"pendingSince":"1970-01-01T01:59:55Z","failure":null,"lastSuccess":"1970-01-01T01:00:00Z","abandoned":[]}
            """)

        #expect(text.contains("<b>All accepted</b>"))
        #expect(text.contains(#"Last accepted: <bdi><time datetime="1970-01-01T01:00Z">"#))
        #expect(!text.contains("change waits") && !text.contains("given up"))
    }

    @Test func `A failing webhook says what waits, since when and why, and links the orders of abandoned events`() async throws {
        let orders = (1...12).map { #"{"id":"e","order":\#($0),"reason":"gone","time":"1970-01-01T00:00:00Z"}"# }.joined(separator: ",")
        let state = """
            {"url":"","pending":1200,"pendingSince":"1970-01-01T00:30:00Z","lastSuccess":null,"failure":{"reason":"the server responded with 503",
            "cause":"status","status":503,"since":"1970-01-01T01:00:00Z"},"abandoned":[\(orders),\(orders)]}
            """

        let english = try await table(state)
        let german = try await table(state, language: "de")

        #expect(english.contains(#"<span class="attention">1,200 changes wait</span>"#) && !english.contains("All accepted"))
        #expect(english.contains(#"The oldest waits since: <bdi><time datetime="1970-01-01T00:30Z">"#))
        #expect(english.contains(#"Fails since: <bdi><time datetime="1970-01-01T01:00Z">"#))
        #expect(english.contains("Last error: your system answered with 503"))
        #expect(english.contains("24 changes given up") && english.contains("… and 2 more"))
        #expect(english.contains(#"href="/dispatch/orders/10">Order 10</a>"#) && !english.contains("/dispatch/orders/11\""))
        #expect(german.contains("1.200 Änderungen warten") && german.contains("Letzter Fehler: Ihr System hat mit 503 geantwortet"))
    }
}
