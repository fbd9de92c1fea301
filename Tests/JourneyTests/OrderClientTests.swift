import Foundation
import LadingHTTP
import LadingTesting
import OrderLifecycle
import Testing

@testable import LadingCommand

/// The client of simulated people, with a server that does not end its lists.
@Suite struct OrderClientTests {
    private static let api = "http://a.org/api/v1"

    private let executor = ScriptedExecutor()
    private let client: OrderClient

    init() throws {
        client = OrderClient(
            client: BackendClient(executor: executor), origins: [try #require(URL(string: "http://a.org"))], tokens: [:],
            dispatcher: PersonID(rawValue: "ada"))
    }

    @Test(.timeLimit(.minutes(10))) func `A repeated cursor is an error`() async throws {
        executor.script(
            "\(Self.api)/orders/1",
            .response(
                text: #"{"id":1,"state":"pickedUp","fence":1,"version":"1.1","deadline":"1970-01-01T00:00:00.000Z","openReports":0}"#))
        executor.script("\(Self.api)/orders/1/history", .response(text: #"{"events":[],"reports":[],"proofs":[]}"#))
        for query in ["", "&after=a"] {
            executor.script("\(Self.api)/orders?scope=attention&limit=100\(query)", .response(text: #"{"orders":[],"next":"a"}"#))
        }

        await #expect(throws: ProgramFailure.self) { try await client.finalState(of: 1, at: Timestamp(milliseconds: 1)) }
    }

    @Test(arguments: ["omittedEvents", "omittedReports"])
    func `A history without its beginning is an error`(field: String) async throws {
        executor.script(
            "\(Self.api)/orders/1",
            .response(text: #"{"id":1,"state":"open","fence":0,"version":"0.2","openReports":0}"#))
        executor.script(
            "\(Self.api)/orders/1/history", .response(text: #"{"\#(field)":1,"events":[],"reports":[],"proofs":[]}"#))

        await #expect(throws: ProgramFailure.self) { try await client.finalState(of: 1, at: Timestamp(milliseconds: 1)) }
    }

    @Test func `Changes at the position before them are an error`() async throws {
        let event = """
            {"number":1,"action":"create","state":"open","fence":0,"actionTime":"","acceptanceTime":"","missingItems":[],"proofs":[]}
            """
        executor.script(
            "\(Self.api)/changes?after=e-1", .response(text: #"{"changes":[{"order":1,"event":\#(event)}],"position":"e-1"}"#))

        await #expect(throws: ProgramFailure.self) { try await client.changes(after: "e-1") }
    }
}
