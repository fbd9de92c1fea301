import Foundation
import Testing

@testable import LadingHTTP

/// Which request of a resumable upload follows which reply, as tables.
@Suite struct StorageUploadExchangeTests {
    private struct Trouble: Error {}

    private let session = URL(string: "http://files.example/o?upload_id=7")!
    private let begun = "200 X-Goog-Upload-Status: active; X-Goog-Upload-URL: /o?upload_id=7; X-Goog-Upload-Chunk-Granularity: 100"
    private let active = "200 X-Goog-Upload-Status: active"
    private let final = "200 X-Goog-Upload-Status: final"

    private func has(_ count: Int) -> String {
        "200 X-Goog-Upload-Status: active; X-Goog-Upload-Size-Received: \(count); X-Goog-Upload-Chunk-Granularity: 100"
    }

    /// What is told after each line: a reply, `break`, or `begin`.
    private func told(length: Int = 70, session: URL? = nil, attempts: Int = 3, _ lines: String...) -> [String] {
        var exchange = StorageUploadExchange(
            length: length, session: session, patience: TransferPatience(attempts: attempts, base: .seconds(1), cap: .seconds(8)))
        return lines.map { line in
            var effects: [StorageUploadExchange.Effect] = []
            exchange.handle(event(line), effects: &effects)
            return effects.map(word).joined(separator: ", ")
        }
    }

    private func event(_ line: String) -> StorageUploadExchange.Event {
        switch line {
        case "begin": .begin
        case "break": .broke(.passing(Trouble()), luck: 1)
        case "end": .broke(.final(Trouble()), luck: 1)
        default: .reply(ReplyHead(line: line), url: URL(string: "http://files.example/o")!, elapsed: .seconds(1))
        }
    }

    private func word(_ effect: StorageUploadExchange.Effect) -> String {
        switch effect {
        case .ask(let request, let delay): word(request) + (delay > .zero ? " after \(Int(delay / .seconds(1)))" : "")
        case .session(let url): "keep \(url.query() ?? "")"
        case .moved(let offset): "at \(offset)"
        case .renew: "renew"
        case .done: "done"
        case .fail(BackendError.status(let status, _, _)): "fail \(status)"
        case .fail(FirebaseStorage.Failure.misfit): "misfit"
        case .fail: "fail"
        }
    }

    private func word(_ request: StorageUploadExchange.Request) -> String {
        switch request {
        case .start: "start"
        case .query: "query"
        case .send(let range, let isLast): "send \(range)" + (isLast ? " last" : "")
        }
    }

    @Test func `A small file goes in one part, an empty one in one without bytes`() {
        #expect(told("begin", begun, final) == ["start", "keep upload_id=7, at 0, send 0..<70 last", "at 70, done"])
        #expect(told(length: 0, "begin", begun, final)[1] == "keep upload_id=7, at 0, send 0..<0 last")
    }

    @Test func `A large file goes in parts that are multiples`() {
        let steps = told(length: 600_050, "begin", begun, active, active, final)

        #expect(
            steps == [
                "start", "keep upload_id=7, at 0, send 0..<262100", "at 262100, send 262100..<524200",
                "at 524200, send 524200..<600050 last",
                "at 600050, done",
            ])
    }

    @Test func `What broke is asked for, and goes on from there`() {
        let steps = told(length: 600_000, "begin", begun, "break", has(100), active)

        #expect(steps[2...] == ["query after 1", "at 100, send 100..<262200", "at 262200, send 262200..<524300"])
    }

    @Test func `Nothing gained often enough in a row is given up`() {
        #expect(told("begin", "break", "break", "break") == ["start", "start after 1", "start after 2", "fail"])
        #expect(told(length: 600_000, "begin", begun, "break", "break", has(100), "break")[5] == "query after 1")
        #expect(told("begin", begun, "end")[2] == "fail")
    }

    @Test func `A server that says nothing of the state is taken at its word otherwise`() {
        #expect(told("begin", begun, "200")[2] == "at 70, done")
        #expect(
            told(session: session, "begin", "200 X-Goog-Upload-Size-Received: 30", "200") == [
                "query", "at 30, send 30..<70 last", "at 70, done",
            ])
        #expect(told(length: 600_000, "begin", begun, "200")[2] == "query")
    }

    @Test func `A session that was kept is asked first`() {
        #expect(told(session: session, "begin", has(30), final) == ["query", "at 30, send 30..<70 last", "at 70, done"])
        #expect(told(session: session, "begin", final) == ["query", "at 70, done"])
    }

    @Test(arguments: ["200 X-Goog-Upload-Status: cancelled", "404", "410", "400"])
    func `A session that is gone is begun again, once`(gone: String) {
        let steps = told(session: session, "begin", gone, begun, "break", gone)

        #expect(steps[1] == "start" && steps[2].hasPrefix("keep") && steps[3] == "query after 1" && steps[4].hasPrefix("fail"))
    }

    @Test func `A part that does not fit is looked at again, but not for ever`() {
        #expect(
            told("begin", begun, "400", has(0), "416", has(0), "404")[2...] == [
                "query", "at 0, send 0..<70 last", "query", "at 0, send 0..<70 last", "misfit",
            ])
        #expect(told("begin", begun, active)[2] == "query")
    }

    @Test func `A server that has more than there is, or says nothing, is not believed`() {
        #expect(told(session: session, "begin", has(71))[1] == "misfit")
        #expect(told(session: session, "begin", has(-1))[1] == "misfit")
        #expect(told(session: session, "begin", active)[1] == "misfit")
        #expect(told(session: session, "begin", "200")[1] == "misfit")
        #expect(told("begin", active)[1] == "misfit")
    }

    @Test func `A token is renewed once, until something is gained`() {
        let steps = told(length: 600_000, "begin", "401", begun, "401", active)

        #expect(steps == ["start", "renew, start", "keep upload_id=7, at 0, send 0..<262100", "fail 401", ""])
        #expect(told("begin", "403")[1] == "fail 403")
    }
}
