/// The text of event streams (WHATWG HTML §9.2.5).
package enum EventStreamText {
    /// Returns an event.
    ///
    /// - Parameters:
    ///   - type: The type, without line breaks; nil for `message`.
    ///   - data: The payload. Each of its lines becomes one of the event.
    ///   - id: The id, without line breaks; nil if the event has none.
    package static func event(_ type: String? = nil, data: String, id: String? = nil) -> String {
        var text = id.map(Self.id) ?? ""
        text.reserveCapacity(data.utf8.count + framingSize)
        if let type { text += "event: \(type)\n" }
        if data.utf8.contains(where: \.isLineBreak) {
            for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isStreamLineBreak) { text += "data: \(line)\n" }
        } else {
            text += "data: "
            text += data
            text += "\n"
        }
        return text + "\n"
    }

    /// Returns the line with the id of the event whose other lines follow.
    package static func id(_ id: String) -> String { "id: \(id)\n" }

    /// Returns the line that sets the delay before a client reconnects, and the end of its event.
    package static func reconnectionTime(milliseconds: Int) -> String { "retry: \(milliseconds)\n\n" }

    /// The approximate number of bytes around the data of an event.
    private static let framingSize = 64
}

extension UInt8 {
    fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension Character {
    /// Whether the character ends a line of a stream; `\r\n` is one character.
    fileprivate var isStreamLineBreak: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
