import LadingHTTP
import Testing

@Suite struct EventStreamParserTests {
    private typealias Event = ServerSentEvent

    private func events(_ text: String) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return try parser.parse(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("data: a\n\n", [Event(data: "a")]),
            ("data: a\r\n\r\n", [Event(data: "a")]),
            ("data: a\r\r", [Event(data: "a")]),
            ("data: a\r\n\ndata: b\n\r", [Event(data: "a"), Event(data: "b")]),
            ("\u{FEFF}data: a\n\n", [Event(data: "a")]),
            ("\u{FEFF}\u{FEFF}data: a\n\n", []),
            ("data: a\n\u{FEFF}data: b\n\n", [Event(data: "a")]),
            ("data: a\ndata: b\n\n", [Event(data: "a\nb")]),
            ("data\n\n", [Event(data: "")]),
            ("data\ndata\n\n", [Event(data: "\n")]),
            ("data:a\n\n", [Event(data: "a")]),
            ("data:  a\n\n", [Event(data: " a")]),
            ("data: a: b\n\n", [Event(data: "a: b")]),
            ("data: a", []),
            ("data: a\n", []),
            (": comment\n\n", []),
            (": comment\ndata: a\n\n", [Event(data: "a")]),
            ("event: put\ndata: a\n\n", [Event(type: "put", data: "a")]),
            ("event: put\n\ndata: a\n\n", [Event(data: "a")]),
            ("event: put\ndata: a\n\ndata: b\n\n", [Event(type: "put", data: "a"), Event(data: "b")]),
            ("Data: a\n\n", []),
            ("other: x\ndata: a\n\n", [Event(data: "a")]),
            ("id: 7\ndata: a\n\ndata: b\n\n", [Event(data: "a", id: "7"), Event(data: "b", id: "7")]),
            ("id: 7\n\nid: 8\u{0}\ndata: a\n\n", [Event(data: "a", id: "7")]),
            ("id: 7\ndata: a\n\nid\ndata: b\n\n", [Event(data: "a", id: "7"), Event(data: "b")]),
            ("data: grüß 🥖\n\n", [Event(data: "grüß 🥖")]),
        ])
    func `Lines are parsed into events`(text: String, expected: [ServerSentEvent]) throws {
        #expect(try events(text) == expected)
    }

    @Test func `Chunk boundaries do not affect the parsed events`() throws {
        let text = "\u{FEFF}: hello\r\nevent: put\r\nid: 1\r\ndata: {\"grüß\":\r\ndata: \"🥖\"}\r\n\r\rdata: b\n\ndata: c\r\n\r\n"
        let expected = try events(text)
        let bytes = Array(text.utf8)

        for first in 0...bytes.count {
            for second in first...bytes.count {
                var parser = EventStreamParser()
                let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try parts.flatMap { try parser.parse(Array($0)) } == expected)
            }
        }
        #expect(expected.count == 3)
    }

    @Test func `A reconnection time is an integer, and the last event ID changes when its event ends`() throws {
        var parser = EventStreamParser()

        _ = try parser.parse(Array("retry: 1500\nretry: 2s\nid: 7\n".utf8))
        #expect(parser.reconnectionTime == .milliseconds(1_500) && parser.lastEventID.isEmpty)

        _ = try parser.parse(Array("\n".utf8))
        #expect(parser.lastEventID == "7")
    }

    @Test func `Invalid UTF-8 is replaced`() throws {
        var parser = EventStreamParser()

        #expect(try parser.parse(Array("data: ".utf8) + [0xFF] + Array("\n\n".utf8)) == [Event(data: "\u{FFFD}")])
    }

    @Test(arguments: ["data: 123456789", "data: 1234\ndata: 5678\n", "event: 12345678901", ": comment that is long"])
    func `An event that is too long is refused before it is complete`(text: String) {
        var parser = EventStreamParser(eventLimit: 14)

        #expect(throws: EventStreamError.eventTooLong(limit: 14)) { try parser.parse(Array(text.utf8)) }
    }

    @Test func `The limit applies to one event, not to the stream`() throws {
        var parser = EventStreamParser(eventLimit: 14)

        for _ in 0..<100 { #expect(try parser.parse(Array("data: 12345678\n\n".utf8)).count == 1) }
    }

    @Test func `Events of a response are delivered one by one, and an error of its body is thrown`() async throws {
        struct Broken: Error {}
        var chunks = ["data: a\n\nda", "ta: b\n\n", "data: c"].makeIterator()
        let body = ResponseBody {
            guard let chunk = chunks.next() else { throw Broken() }
            return Array(chunk.utf8)
        }
        var events = ServerSentEvents(body).makeAsyncIterator()

        #expect(try await events.next() == Event(data: "a"))
        #expect(try await events.next() == Event(data: "b"))
        await #expect(throws: Broken.self) { try await events.next() }
    }
}
