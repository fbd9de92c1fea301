/// A parser of event streams (WHATWG HTML §9.2.6), which accepts chunks of any size.
///
/// ```swift
/// var parser = EventStreamParser()
/// for chunk in chunks { for event in try parser.parse(chunk) { show(event) } }
/// ```
///
/// Bytes after the last empty line form no event: the stream was interrupted before the event was complete.
public struct EventStreamParser: Sendable {
    /// The default maximum size of an event, in bytes: that of a response.
    public static let eventLimit = ResponseLimits().bodySize

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The reconnection delay that the server requested (`retry`); nil while there is none.
    public private(set) var reconnectionTime: Duration?
    /// The id of the last completed event, for resuming with `Last-Event-ID`; empty when there was none.
    public private(set) var lastEventID = ""

    private let limit: Int
    private var line: [UInt8] = []
    private var endedWithCarriageReturn = false
    private var isFirstLine = true
    private var type = ""
    private var data: [UInt8] = []
    private var id = ""

    /// Creates a parser at the beginning of a stream.
    ///
    /// - Parameter eventLimit: The maximum size of an event, in bytes, including the current line.
    public init(eventLimit: Int = EventStreamParser.eventLimit) {
        limit = eventLimit
    }

    /// Returns the events that end within these bytes, in the order of the stream.
    ///
    /// - Throws: `EventStreamError.eventTooLong`; parsing cannot continue afterwards.
    public mutating func parse(_ bytes: [UInt8]) throws(EventStreamError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        while let first = rest.first {
            // A line feed directly after a carriage return belongs to the same line end, even in the next chunk.
            if endedWithCarriageReturn, first == UInt8(ascii: "\n") { rest.removeFirst() }
            endedWithCarriageReturn = false
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
                try appendToLine(rest)
                break
            }
            try appendToLine(rest[..<end])
            endedWithCarriageReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[end...].dropFirst()
            if let event = processLine() { events.append(event) }
        }
        return events
    }

    private mutating func appendToLine(_ bytes: ArraySlice<UInt8>) throws(EventStreamError) {
        guard line.count + data.count + bytes.count <= limit else { throw .eventTooLong(limit: limit) }
        line += bytes
    }

    private mutating func processLine() -> ServerSentEvent? {
        var text = line[...]
        if isFirstLine, text.starts(with: Self.byteOrderMark) { text = text.dropFirst(Self.byteOrderMark.count) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: true) }
        guard !text.isEmpty else { return dispatchEvent() }
        let name = text.prefix { $0 != UInt8(ascii: ":") }
        var value = text[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        processField(String(decoding: name, as: UTF8.self), value)
        return nil
    }

    /// Processes a field. A line that starts with a colon is a comment; comments and unknown fields are ignored.
    private mutating func processField(_ name: String, _ value: ArraySlice<UInt8>) {
        switch name {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data": data += value + [UInt8(ascii: "\n")]
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry":
            let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if isNumber, let number = Int(String(decoding: value, as: UTF8.self)) { reconnectionTime = .milliseconds(number) }
        default: break
        }
    }

    private mutating func dispatchEvent() -> ServerSentEvent? {
        defer { (type, data) = ("", []) }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        return type.isEmpty ? ServerSentEvent(data: text, id: id) : ServerSentEvent(type: type, data: text, id: id)
    }
}
