import Foundation
import Testing

@testable import LadingHTTP

/// Which request of an upload follows which reply, as tables.
@Suite struct UploadExchangeTests {
    private let target = URL(string: "http://files.example/uploads/big")!
    private let resource = URL(string: "http://files.example/parts/7")!
    private let takesParts = "204 Accept-Patch: text/plain, application/partial-upload"

    private func reply(_ line: String, in time: Duration = .seconds(1)) -> UploadExchange.Event {
        .reply(ReplyHead(line: line), url: target, elapsed: time)
    }

    private func told(length: Int = 100, resource: URL? = nil, isResumable: Bool? = nil, _ events: [UploadExchange.Event]) -> [String] {
        var exchange = UploadExchange(target: target, length: length, resource: resource, isResumable: isResumable)
        return events.map { event in
            var effects: [UploadExchange.Effect] = []
            exchange.handle(event, effects: &effects)
            return effects.map(word).joined(separator: ", ")
        }
    }

    private func word(_ effect: UploadExchange.Effect) -> String {
        switch effect {
        case .ask(.append(let range, let isLast)): "append \(range)" + (isLast ? " last" : "")
        case .ask(let request): "\(request)"
        case .note: "note"
        case .done: "done"
        case .fail(let trouble): trouble.isPassing ? "fail for now" : trouble.keepsBytes ? "fail, keep" : "fail"
        }
    }

    @Test func `A small file goes in one part behind its creation`() {
        let steps = told([.begin, reply(takesParts), reply("201 Location: /parts/7"), reply("201 Upload-Complete: ?1")])

        #expect(steps == ["discover", "note, create", "note, append 0..<100 last", "note, done"])
    }

    @Test func `Parts grow on a quick link and shrink on a slow one`() {
        let (least, length) = (UploadPartSize.least, 100 << 20)
        let more = "204 Upload-Complete: ?0"
        let steps = told(
            length: length,
            [
                .begin, reply(takesParts), reply("201 Location: /parts/7"), reply(more, in: .milliseconds(100)),
                reply(more, in: .seconds(1)), reply(more, in: .seconds(9)),
            ])

        #expect(
            steps.suffix(4) == [
                "note, append 0..<\(least)", "note, append \(least)..<\(3 * least)", "note, append \(3 * least)..<\(5 * least)",
                "note, append \(5 * least)..<\(6 * least)",
            ])
    }

    @Test func `Parts keep to the limits of the server`() {
        let limits = "201 Location: /parts/7; Upload-Limit: max-size=1000, max-append-size=30"

        #expect(told([.begin, reply(takesParts), reply(limits)]).last == "note, append 0..<30")
        #expect(told([.begin, reply(takesParts + "; Upload-Limit: max-size=99")]).last == "fail")
    }

    @Test(arguments: [
        "204", "405", "404", "501", "500", "200 Accept-Patch: application/*",
    ])
    func `A server that does not know parts gets the whole file`(answer: String) {
        #expect(told([.begin, reply(answer), reply("201")]) == ["discover", "note, whole", "note, done"])
        #expect(told(isResumable: false, [.begin]) == ["whole"])
    }

    @Test func `What was begun is gone on with from what the server has`() {
        let steps = told(resource: resource, isResumable: true, [.begin, reply("204 Upload-Offset: 40; Upload-Complete: ?0")])

        #expect(steps == ["offset", "note, append 40..<100 last"])
    }

    @Test(arguments: [
        ("204 Upload-Offset: 100; Upload-Complete: ?1", "note, done"),
        ("204 Upload-Offset: 100; Upload-Complete: ?0", "note, append 100..<100 last"),
        ("204 Upload-Offset: 40; Upload-Complete: ?1", "fail"), ("204 Upload-Offset: 101", "fail"), ("204", "fail"),
        ("204 Upload-Offset: -1", "fail"), ("404", "note, create"), ("410", "note, create"), ("503", "fail for now"),
    ])
    func `What is made of what the server has`(answer: String, outcome: String) {
        #expect(told(resource: resource, isResumable: true, [.begin, reply(answer)])[1] == outcome)
    }

    @Test(arguments: [
        ("201 Upload-Complete: ?1", "note, done"), ("204 Upload-Complete: ?0", "note, append 100..<100 last"),
        ("409 Upload-Offset: 7", "offset"), ("404", "note, create"), ("500", "fail for now"), ("429", "fail for now"),
        ("422 Upload-Complete: ?1", "fail"), ("400", "fail"), ("403", "fail, keep"),
    ])
    func `What is made of the reply to a part`(answer: String, outcome: String) {
        let steps = told(
            resource: resource, isResumable: true, [.begin, reply("204 Upload-Offset: 40"), reply(answer)])

        #expect(steps[2] == outcome)
    }

    @Test func `A server that loses every upload is given up`() {
        let steps = told(
            resource: resource, isResumable: true, [.begin, reply("404"), reply("201 Location: /parts/8"), reply("404")])

        #expect(steps == ["offset", "note, create", "note, append 0..<100 last", "fail"])
    }

    @Test func `A server that takes the last part again and again is given up`() {
        let again = [UploadExchange.Event](repeating: reply("204 Upload-Complete: ?0"), count: 8)

        #expect(told(resource: resource, isResumable: true, [.begin, reply("204 Upload-Offset: 0")] + again).contains("fail"))
    }

    @Test func `A part that is too long is followed by a shorter one`() {
        let steps = told(length: 1 << 20, resource: resource, isResumable: true, [.begin, reply("204 Upload-Offset: 0"), reply("413")])

        #expect(steps.last == "append 0..<\(UploadPartSize.least / 2)")
    }

    @Test(arguments: [
        ("?1", true), ("?0", false), (" ?1", true), ("?1;a=b", true), ("1", nil), ("true", nil), ("", nil), ("?2", nil),
    ])
    func `Booleans of structured fields`(text: String, flag: Bool?) {
        #expect(ResumableUpload.flag(text) == flag)
    }

    @Test(arguments: [
        ("0", 0), ("42", 42), ("42;x", 42), ("-1", nil), ("1.5", nil), ("", nil), ("9999999999999999", nil), ("0x10", nil), ("+1", nil),
    ])
    func `Integers of structured fields`(text: String, number: Int?) {
        #expect(ResumableUpload.number(text) == number)
    }
}
