/// Makes events of the bytes of an event stream (WHATWG HTML §9.2.6), however they are cut into chunks.
///
/// ```swift
/// var parser = EventStreamParser()
/// for chunk in chunks { for event in try parser.parse(chunk) { show(event) } }
/// ```
///
/// What stands behind the last empty line is no event: the stream broke off before it was complete.
public struct EventStreamParser: Sendable {
    /// The longest event, in bytes, unless told otherwise.
    public static let eventLimit = 8 << 20

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How long the server wants to be left alone before the stream is opened again; nil while it has not said.
    public private(set) var reconnectionTime: Duration?
    /// The last id that an event ended with, to go on behind it (`Last-Event-ID`); empty when there was none.
    public private(set) var lastEventID = ""

    private let limit: Int
    private var line: [UInt8] = []
    private var endedWithCarriageReturn = false
    private var isFirstLine = true
    private var type = ""
    private var data: [UInt8] = []
    private var id = ""

    /// - Parameter eventLimit: The longest event, in bytes, with the line that is being read.
    public init(eventLimit: Int = EventStreamParser.eventLimit) {
        limit = eventLimit
    }

    /// The events that end within these bytes.
    ///
    /// - Throws: When an event is too long; what follows cannot be read then.
    public mutating func parse(_ bytes: [UInt8]) throws(EventStreamError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        while let first = rest.first {
            // A line feed right behind a carriage return belongs to it, also when it comes in another chunk.
            if endedWithCarriageReturn, first == UInt8(ascii: "\n") { rest.removeFirst() }
            endedWithCarriageReturn = false
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
                try appendToLine(rest)
                break
            }
            try appendToLine(rest[..<end])
            endedWithCarriageReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[(end + 1)...]
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

    /// A line without a name in front of its colon is a comment, and like unknown names means nothing.
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
