import Foundation
import NIOCore

/// One event of a page's stream: its name and its data, one line of JSON.
struct WindowEvent: Sendable {
    let name: String
    let data: String
}

extension WindowEvent {
    /// Bytes around the data of an event, about.
    private static var framingSize: Int { 64 }

    /// The event without an id, as it is written.
    var text: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(data.utf8.count + Self.framingSize)
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeString(data)
        buffer.writeStaticString("\n\n")
        return buffer
    }
}

extension Collection<WindowEvent> {
    /// The events as they are written. The last one carries the id: a page that breaks off before it has all of them asks for all of them again.
    func stream(endingAt id: Int, coding: EventStreamCoding = .plain) -> ByteBuffer {
        var buffer = ByteBuffer()
        for (place, event) in enumerated() {
            if place == count - 1 { buffer.writeImmutableBuffer(coding.encode("id: \(id)\n")) }
            buffer.writeImmutableBuffer(coding.encodeShared(event.text))
        }
        return buffer
    }
}

/// The list as it now is.
struct ListEvent: Encodable {
    /// Where the reader is in a list that is new to the page.
    struct Anchor: Encodable, Equatable {
        let row: String?
        let index: Int

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            // A page tells an anchor without a row from none.
            try fields.encode(row, forKey: .row)
            try fields.encode(index, forKey: .index)
        }

        private enum CodingKeys: CodingKey { case row, index }
    }

    /// Progress of loading rows for a search or sort.
    struct LoadingProgress: Encodable {
        let known: Int
        let total: Int
        let isRunning: Bool
        let text: String
        let all: Bool

        private enum CodingKeys: String, CodingKey {
            case known, total, text, all
            case isRunning = "running"
        }
    }

    /// What stands behind the last row of a list.
    struct Footer: Encodable {
        let state: String
        let text: String
    }

    let list: String
    /// nil while no list was ever fetched.
    let count: Int?
    let title: String
    let busy: Bool
    /// When the list was last fetched with success, in milliseconds since 1970.
    let fetchedAt: Int?
    let note: String?
    let empty: String?
    let error: String?
    /// What the program says of the error.
    var errorDetails: String?
    let newRowsLabel: String?
    let anchor: Anchor?
    /// What screen readers are told of the number of rows, where that is another than `count`.
    var size: Int?
    /// What stands behind the last row.
    var footer: Footer?
    var notices: [Notice]?
    /// What leads to other lists, as HTML.
    var navigationHTML: String?
    var loadingProgress: LoadingProgress?
    /// Already JSON; left out when nil.
    var rows: JSONText?

    private enum CodingKeys: String, CodingKey {
        case list, count, title, busy, note, empty, error, anchor, size, notices
        case fetchedAt = "at"
        case errorDetails = "why"
        case newRowsLabel = "fresh"
        case footer = "foot"
        case navigationHTML = "choice"
        case loadingProgress = "reading"
    }
}

/// A row as a page shows it.
struct RenderedRow: Sendable {
    /// The most rows in one event.
    static let eventLimit = 50

    /// The identity of the row, as text.
    let id: JSONText
    let index: Int
    let version: Int
    let state: String
    /// The HTML as a JSON string: made once for all pages that show the row.
    let html: JSONText

    fileprivate func append(to json: inout String) {
        json += #"{"id":"#
        json += id.text
        json += #","index":\#(index),"version":\#(version),"state":"\#(state)","html":"#
        json += html.text
        json += "}"
    }
}

/// Something that a page says once: what became of what its reader did, or that it may be lost.
struct Notice: Encodable, Hashable {
    /// Higher than that of the notice before it, in whichever window that was.
    let number: Int
    /// The row that it is about; empty when it is about none.
    let row: String
    /// Whether that is a favourite now.
    let favourite: Bool
    let text: String
}

/// The content of a detail page as it now is.
struct DetailEvent: Encodable {
    let version: Int
    let state: String
    let html: String
    var notices: [Notice]?
}

/// Text that is JSON already.
struct JSONText: Sendable {
    let text: String

    /// The text as a JSON string.
    init(_ text: String) {
        // Most are ids and numbers, sent to every page: an encoder for each of them would cost more than all the rest.
        self.text = text.utf8.allSatisfy(\.needsNoJSONEscape) ? "\"\(text)\"" : Self.encode(text)
    }

    init(encoding value: some Encodable) {
        text = Self.encode(value)
    }

    private static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // What is encoded here is made of texts and whole numbers, which all have a form in JSON.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Rows as a JSON array.
    init(_ rows: ArraySlice<RenderedRow>) {
        // Written in place: the same row goes to thousands of pages.
        var text = ""
        text.reserveCapacity(rows.reduce(2) { $0 + $1.html.text.utf8.count + 128 })
        for row in rows {
            text += text.isEmpty ? "[" : ","
            row.append(to: &text)
        }
        self.text = text.isEmpty ? "[]" : text + "]"
    }
}

extension WindowEvent {
    static func list(_ event: ListEvent) -> WindowEvent {
        let head = JSONText(encoding: event).text
        let data = event.rows.map { head.dropLast() + #","rows":\#($0.text)}"# } ?? head
        return WindowEvent(name: "list", data: data)
    }

    static func detail(_ event: DetailEvent) -> WindowEvent {
        WindowEvent(name: "detail", data: JSONText(encoding: event).text)
    }

    /// Rows of a list, in as many events as it takes.
    static func rows(_ rendered: [RenderedRow], of list: String) -> [WindowEvent] {
        stride(from: 0, to: rendered.count, by: RenderedRow.eventLimit).map { start in
            let rows = JSONText(rendered[start...].prefix(RenderedRow.eventLimit))
            return WindowEvent(name: "rows", data: #"{"list":\#(JSONText(list).text),"rows":\#(rows.text)}"#)
        }
    }
}

extension UInt8 {
    /// Whether it is a byte of ASCII that stands for itself in a JSON string.
    fileprivate var needsNoJSONEscape: Bool { self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}
