import LadingHTTP
import Testing

@Suite struct EventStreamTextTests {
    @Test func `An event has lines for its id, type and data, and ends with an empty one`() {
        #expect(EventStreamText.event("rows", data: "[1]", id: "7") == "id: 7\nevent: rows\ndata: [1]\n\n")
        #expect(EventStreamText.event("rows", data: "[1]") == "event: rows\ndata: [1]\n\n")
        #expect(EventStreamText.event(data: "[1]") == "data: [1]\n\n")
    }

    @Test(
        arguments: [
            ("", ""), ("{}", "{}"), (" a", " a"), ("a\nb", "a\nb"), ("a\r\nb\rc", "a\nb\nc"), ("\n", "\n"), ("a\n\nb\n", "a\n\nb\n"),
            ("e\u{301}: \u{2028}\u{85}", "e\u{301}: \u{2028}\u{85}"),
        ])
    func `A parser reads the data of an event, with line feeds between its lines`(data: String, parsed: String) throws {
        var parser = EventStreamParser()

        let events = try parser.parse(Array(EventStreamText.event("put", data: data, id: "3").utf8))

        #expect(events == [ServerSentEvent(type: "put", data: parsed, id: "3")])
    }

    @Test func `The line of an id belongs to the event that follows`() throws {
        var parser = EventStreamParser()

        let events = try parser.parse(Array((EventStreamText.id("9") + EventStreamText.event("list", data: "{}")).utf8))

        #expect(events == [ServerSentEvent(type: "list", data: "{}", id: "9")])
    }

    @Test func `The reconnection delay is no event`() throws {
        var parser = EventStreamParser()

        let events = try parser.parse(Array(EventStreamText.reconnectionTime(milliseconds: 1_500).utf8))

        #expect(events.isEmpty && parser.reconnectionTime == .milliseconds(1_500))
    }
}
