import Foundation

/// The list as it now is.
struct ListEvent: Encodable {
    /// Where the row that was at the top of the page now stands.
    struct Anchor: Encodable {
        let row: String
        let index: Int
    }

    let list: String
    /// nil when no list was ever fetched.
    let count: Int?
    let title: String
    let busy: Bool
    let error: String?
    let anchor: Anchor?
}

/// Rows that changed or that the page does not have yet.
struct RowsEvent: Encodable {
    /// The most rows in one event.
    static let rowLimit = 50

    struct Row: Encodable {
        let id: String
        let index: Int
        let version: Int
        let state: String
        let html: String
    }

    let list: String
    let rows: [Row]
}

/// The content of a detail page as it now is.
struct DetailEvent: Encodable {
    let version: Int
    let state: String
    let html: String
}

extension EventMailbox {
    /// Adds an event with its data as JSON.
    func append(_ name: String, _ event: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(event) else { return }
        append(name, data: String(decoding: data, as: UTF8.self))
    }
}
