import Foundation
import OrderLifecycle
import Testing

@testable import Window

@Suite("Dispatch: the state of the webhook")
struct WebhookStateTests {
    private func state(_ fields: String, abandoned: String = "") throws -> WebhookState {
        try JSONDecoder().decode(WebhookState.self, from: Data(#"{\#(fields),"abandoned":[\#(abandoned)]}"#.utf8))
    }

    @Test(arguments: [
        (#""pending":0"#, false), (#""pending":1,"pendingSince":"1970-01-01T00:00:00.001Z""#, false),
        (#""pending":1,"pendingSince":"1970-01-01T00:00:00.000Z""#, true), (#""pending":1"#, true),
        (
            #""pending":1,"pendingSince":"1970-01-01T00:00:09Z","failure":{"reason":"","cause":"other","status":null,"#
                + #""since":"1970-01-01T00:00:09Z"}"#, true
        ),
    ])
    func `Events wait if one has failed, or has not been sent for ten seconds`(fields: String, isWaiting: Bool) throws {
        #expect(try state(fields).isWaiting(at: Timestamp(milliseconds: 10_000)) == isWaiting)
    }

    @Test func `Abandoned events are shown for a week`() throws {
        let events = #"{"time":"1970-01-01T00:00:00Z","order":1},{"time":"1970-01-01T00:00:00.001Z","order":null}"#
        let state = try state(#""pending":0"#, abandoned: events)
        let week: Int64 = 7 * 86_400_000

        #expect(state.recentlyAbandoned(at: Timestamp(milliseconds: week)).map(\.order) == [1, nil])
        #expect(state.recentlyAbandoned(at: Timestamp(milliseconds: week + 1)).map(\.order) == [nil])
    }

    @Test(arguments: [
        (#""cause":"status","status":500"#, ["your system answered with 500", "Ihr System hat mit 500 geantwortet"]),
        (#""cause":"unreachable","status":null"#, ["your system cannot be reached", "Ihr System ist nicht erreichbar"]),
        (#""cause":"timed-out","status":null"#, ["your system did not answer in time", "Ihr System hat nicht rechtzeitig geantwortet"]),
        (
            #""cause":"interrupted","status":null"#,
            ["the connection to your system was lost", "Die Verbindung zu Ihrem System ist abgebrochen"]
        ),
        (#""cause":"other","status":null"#, ["too many redirects", "too many redirects"]),
        (#""status":null"#, ["too many redirects", "too many redirects"]),
    ])
    func `The last error is in the language of the page`(fields: String, words: [String]) throws {
        let state = try state(#""pending":1,"failure":{"reason":"too many redirects","since":"1970-01-01T00:00:00Z",\#(fields)}"#)
        let failure = try #require(state.failure)

        #expect([Texts(.english), Texts(.german)].map { $0.reason(failure) } == words)
    }

    @Test func `Waiting and abandoned changes are counted`() {
        #expect([1, 2].map(Texts(.english).waitingChanges) == ["1 change waits", "2 changes wait"])
        #expect([1, 2_000].map(Texts(.german).waitingChanges) == ["1 Änderung wartet", "2.000 Änderungen warten"])
        #expect([1, 2].map(Texts(.english).abandonedChanges) == ["1 change given up", "2 changes given up"])
        #expect([1, 2, 11].map(Texts(.arabic).abandonedChanges) == ["تغيير واحد متروك", "تغييران متروكان", "11 تغييرًا متروكًا"])
    }
}
