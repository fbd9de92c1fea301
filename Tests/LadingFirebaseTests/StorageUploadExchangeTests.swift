import Foundation
import Testing
@testable import LadingFirebase
@testable import LadingHTTP
@testable import LadingTesting
@testable import LadingTransfers

/// The requests and responses of a resumable upload, as tables.
@Suite struct StorageUploadExchangeTests {
    private struct TestError: Error {}

    private let session = URL(string: "http://files.example/o?upload_id=7")!
    private let startResponse = "200 X-Goog-Upload-Status: active; X-Goog-Upload-URL: /o?upload_id=7; X-Goog-Upload-Chunk-Granularity: 100"
    private let active = "200 X-Goog-Upload-Status: active"
    private let final = "200 X-Goog-Upload-Status: final"

    private func received(_ count: Int) -> String {
        "200 X-Goog-Upload-Status: active; X-Goog-Upload-Size-Received: \(count); X-Goog-Upload-Chunk-Granularity: 100"
    }

    /// Returns descriptions of the effects of each line: a response, `begin`, `break`, or `end`.
    private func steps(length: Int = 70, session: URL? = nil, attempts: Int = 3, _ lines: String...) -> [String] {
        var exchange = StorageUploadExchange(
            length: length, session: session, retryPolicy: TransferRetryPolicy(attempts: attempts, base: .seconds(1), cap: .seconds(8)))
        return lines.map { line in
            var effects: [StorageUploadExchange.Effect] = []
            exchange.handle(event(line), effects: &effects)
            return effects.map(describe).joined(separator: ", ")
        }
    }

    private func event(_ line: String) -> StorageUploadExchange.Event {
        switch line {
        case "begin": .begin
        case "break": .failed(.transient(TestError()), jitter: 1)
        case "end": .failed(.permanent(TestError()), jitter: 1)
        default: .response(ResponseHead(line: line), url: URL(string: "http://files.example/o")!, elapsed: .seconds(1))
        }
    }

    private func describe(_ effect: StorageUploadExchange.Effect) -> String {
        switch effect {
        case .send(let request, let delay): describe(request) + (delay > .zero ? " after \(Int(delay / .seconds(1)))" : "")
        case .sessionStarted(let url): "save \(url.query() ?? "")"
        case .progressed(let offset): "at \(offset)"
        case .done: "done"
        case .fail(BackendError.status(let status, _, _)): "fail \(status)"
        case .fail(FirebaseStorage.Failure.inconsistentResponse): "misfit"
        case .fail: "fail"
        }
    }

    private func describe(_ request: StorageUploadExchange.Request) -> String {
        switch request {
        case .start: "start"
        case .query: "query"
        case .upload(let range, let isLast): "send \(range)" + (isLast ? " last" : "")
        }
    }

    @Test func `A small file is sent in one part, and an empty file in one empty part`() {
        #expect(steps("begin", startResponse, final) == ["start", "save upload_id=7, at 0, send 0..<70 last", "at 70, done"])
        #expect(steps(length: 0, "begin", startResponse, final)[1] == "save upload_id=7, at 0, send 0..<0 last")
    }

    @Test func `A granularity of zero is ignored`() {
        let steps = steps(length: 600_050, "begin", startResponse.replacing("Granularity: 100", with: "Granularity: 0"))

        #expect(steps[1] == "save upload_id=7, at 0, send 0..<262144")
    }

    @Test func `Each status of success is one`() {
        let other = { (line: String) in line.replacing("200 ", with: "299 ") }

        let steps = steps(
            length: 600_050, "begin", other(startResponse), other(active), "break", other(received(262_100)), other(active), other(final))

        #expect(steps[2] == "at 262100, send 262100..<524200")
        #expect(steps[4...].joined(separator: ", ").hasSuffix("send 524200..<600050 last, at 600050, done"))
    }

    @Test func `A large file is sent in parts that are multiples of the granularity`() {
        let steps = steps(length: 600_050, "begin", startResponse, active, active, final)

        #expect(
            steps == [
                "start", "save upload_id=7, at 0, send 0..<262100", "at 262100, send 262100..<524200",
                "at 524200, send 524200..<600050 last",
                "at 600050, done",
            ])
    }

    @Test func `After a failure the offset is queried, and the upload continues there`() {
        let steps = steps(length: 600_000, "begin", startResponse, "break", received(100), active)

        #expect(steps[2...] == ["query after 1", "at 100, send 100..<262200", "at 262200, send 262200..<524300"])
    }

    @Test func `Repeated failures without progress fail the upload`() {
        #expect(steps("begin", "break", "break", "break") == ["start", "start after 1", "start after 2", "fail"])
        #expect(steps(length: 600_000, "begin", startResponse, "break", "break", received(100), "break")[5] == "query after 1")
        #expect(steps("begin", startResponse, "end")[2] == "fail")
    }

    @Test func `A response without an upload status is interpreted by its request`() {
        #expect(steps("begin", startResponse, "200")[2] == "at 70, done")
        #expect(
            steps(session: session, "begin", "200 X-Goog-Upload-Size-Received: 30", "200") == [
                "query", "at 30, send 30..<70 last", "at 70, done",
            ])
        #expect(steps(length: 600_000, "begin", startResponse, "200")[2] == "query")
    }

    @Test func `A stored session is queried first`() {
        #expect(steps(session: session, "begin", received(30), final) == ["query", "at 30, send 30..<70 last", "at 70, done"])
        #expect(steps(session: session, "begin", final) == ["query", "at 70, done"])
    }

    @Test(arguments: ["200 X-Goog-Upload-Status: cancelled", "404", "410", "400"])
    func `A lost session is restarted once`(gone: String) {
        let steps = steps(session: session, "begin", gone, startResponse, "break", gone)

        #expect(steps[1] == "start" && steps[2].hasPrefix("save") && steps[3] == "query after 1" && steps[4].hasPrefix("fail"))
    }

    @Test func `A rejected part leads to an offset query, a limited number of times`() {
        #expect(
            steps("begin", startResponse, "400", received(0), "416", received(0), "404")[2...] == [
                "query", "at 0, send 0..<70 last", "query", "at 0, send 0..<70 last", "misfit",
            ])
        #expect(steps("begin", startResponse, active)[2] == "query")
    }

    @Test func `An invalid offset of the server fails the upload`() {
        #expect(steps(session: session, "begin", received(71))[1] == "misfit")
        #expect(steps(session: session, "begin", received(-1))[1] == "misfit")
        #expect(steps(session: session, "begin", active)[1] == "misfit")
        #expect(steps(session: session, "begin", "200")[1] == "misfit")
        #expect(steps("begin", active)[1] == "misfit")
    }

    @Test func `A request without permission fails the upload`() {
        #expect(steps("begin", "401")[1] == "fail 401")
        #expect(steps("begin", startResponse, "403")[2] == "fail 403")
    }
}
