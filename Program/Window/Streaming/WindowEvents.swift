import Foundation
import JSONWriting
import LadingHTTP
import NIOCore

/// An event of a page's stream: its name and its data, one line of JSON.
struct WindowEvent: Sendable {
    let name: String
    let data: String
}

extension WindowEvent {
    /// The encoded event, without an id.
    var text: ByteBuffer { ByteBuffer(string: EventStreamText.event(name, data: data)) }
}

extension Collection<WindowEvent> {
    /// Returns the encoded events. Only the last one carries the id: a page whose stream breaks before it requests all of them again.
    func stream(endingAt id: Int, coding: EventStreamCoding = .plain) -> ByteBuffer {
        var buffer = ByteBuffer()
        for (place, event) in enumerated() {
            if place == count - 1 { buffer.writeImmutableBuffer(coding.encode(EventStreamText.id("\(id)"))) }
            buffer.writeImmutableBuffer(coding.encodeShared(event.text))
        }
        return buffer
    }
}

/// The current state of the list.
struct ListEvent: Encodable {
    /// The position of the user in a list that the page has not received yet.
    struct Anchor: Encodable, Equatable {
        let row: String?
        let index: Int

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            // The page distinguishes an anchor without a row from no anchor.
            try fields.encode(row, forKey: .row)
            try fields.encode(index, forKey: .index)
        }

        private enum CodingKeys: CodingKey { case row, index }
    }

    /// The progress of loading rows for a search or sort.
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

    /// The text after the last row of a list.
    struct Footer: Encodable {
        let state: String
        let text: String
    }

    let list: String
    /// The number of rows; nil while no list was ever fetched.
    let count: Int?
    let title: String
    let busy: Bool
    /// The time of the last successful fetch, in milliseconds since 1970.
    let fetchedAt: Int?
    let note: String?
    let empty: String?
    let error: String?
    /// The technical details of the error.
    var errorDetails: String?
    /// The label of the button of new rows, empty for none; nil does not change it.
    let newRowsLabel: String?
    let anchor: Anchor?
    /// The value of `aria-setsize`, where it differs from `count`.
    var size: Int?
    /// The text after the last row.
    var footer: Footer?
    var notices: [Notice]?
    /// The links to other lists, as HTML.
    var navigationHTML: String?
    var loadingProgress: LoadingProgress?
    /// The rows as JSON, added separately; omitted when nil.
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

/// A rendered row.
struct RenderedRow: Sendable {
    /// The maximum number of rows in one event.
    static let eventLimit = 50

    /// The identity of the row, as a JSON string.
    let id: JSONText
    let index: Int
    let version: Int
    let state: String
    /// The HTML as a JSON string, rendered once for all pages that show the row.
    let html: JSONText

    fileprivate func append(to json: inout String) {
        json += #"{"id":"#
        json += id.text
        json += #","index":\#(index),"version":\#(version),"state":"\#(state)","html":"#
        json += html.text
        json += "}"
    }
}

/// A message that a page shows once: about the result of a user's action, or a possible loss.
struct Notice: Encodable, Hashable {
    /// The sequence number, larger than that of the previous notice, across sessions.
    let number: Int
    /// The row that the notice is about; empty for none.
    let row: String
    /// Whether the row is a favourite now.
    let favourite: Bool
    let text: String
}

/// The current content of a detail page.
struct DetailEvent {
    let version: Int
    let state: String
    /// The markup, as a JSON string that pages may share.
    let html: JSONText
    var notices: [Notice]?
}

/// Text that is already JSON.
struct JSONText: Sendable {
    let text: String

    /// Creates a JSON string.
    init(_ text: String) {
        // Most texts are ids and numbers sent to every page, for which `JSONEncoder` would dominate the costs.
        self.text = text.utf8.contains(where: \.isEscapedInJSON) ? Self.encode(text) : "\"\(text)\""
    }

    init(encoding value: some Encodable) {
        text = Self.encode(value)
    }

    /// Creates a text from one that is already JSON.
    init(json text: String) {
        self.text = text
    }

    private static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Encoded values consist of texts and whole numbers, for which encoding cannot fail.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Creates a JSON array of rows.
    init(_ rows: ArraySlice<RenderedRow>) {
        // Appended to one string, because the same row is sent to thousands of pages.
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
        let notices = event.notices.map { #","notices":\#(JSONText(encoding: $0).text)"# } ?? ""
        let fields = #""version":\#(event.version),"state":\#(JSONText(event.state).text),"html":\#(event.html.text)"#
        return WindowEvent(name: "detail", data: "{\(fields)\(notices)}")
    }

    /// Returns the events for rows of a list, with a limited number of rows in each.
    static func rows(_ rendered: [RenderedRow], of list: String) -> [WindowEvent] {
        stride(from: 0, to: rendered.count, by: RenderedRow.eventLimit).map { start in
            let rows = JSONText(rendered[start...].prefix(RenderedRow.eventLimit))
            return WindowEvent(name: "rows", data: #"{"list":\#(JSONText(list).text),"rows":\#(rows.text)}"#)
        }
    }
}
