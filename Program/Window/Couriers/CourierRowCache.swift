import Foundation
import LadingCaching

/// The content of a courier's row without the values of its form. Rows of equal content have the same markup for all people.
struct CourierRowContent: Hashable, Sendable {
    let order: APIOrder
    let index: Int
    /// Whether the order is not open any more, or not the courier's.
    let hasLeft: Bool
    /// Whether the row has a form that claims the order.
    let canTake: Bool
    /// Whether the courier has the order.
    let isHeld: Bool
    /// The hour in which the row is rendered, since 1970. Texts of times depend on it.
    let hour: Int
}

/// A cache of the rendered rows of couriers, shared by all pages. The values of a form, which belong to one person, are inserted at each use.
final class CourierRowCache: Sendable {
    /// The values of a row's form that no other row has. Both are made by the server and contain nothing that HTML or JSON escapes.
    struct FormValues: Sendable {
        let key: String
        let formToken: String
    }

    private struct Key: Hashable, Sendable {
        let content: CourierRowContent
        let language: Language
    }

    /// A part of a rendered row.
    private enum Segment: Sendable {
        case text(String)
        case key, formToken
    }

    /// Stands for the values of a form in a rendered row. It is random, so that no text of an order contains it.
    private let placeholder = UUID().uuidString
    private let cache = MemoryCache<Key, [Segment]>(costLimit: RenderedRowCache<CourierRowContent>.sizeLimit)

    /// Returns a rendered row as a JSON string.
    ///
    /// - Parameter render: Renders the row with given values of its form; called if the row is not cached.
    func html(
        of content: CourierRowContent, in language: Language, form: FormValues, render: (FormValues) -> String
    ) -> JSONText {
        let key = Key(content: content, language: language)
        if let segments = cache.value(for: key) { return Self.joined(segments, form) }
        let html = JSONText(render(FormValues(key: placeholder + "k", formToken: placeholder + "t"))).text
        let segments = segments(of: html)
        cache.store(segments, for: key, cost: html.utf8.count)
        return Self.joined(segments, form)
    }

    private func segments(of html: String) -> [Segment] {
        let parts = html.split(separator: placeholder, omittingEmptySubsequences: false)
        return [.text(String(parts[0]))]
            + parts.dropFirst().flatMap { part -> [Segment] in
                [part.first == "k" ? .key : .formToken, .text(String(part.dropFirst()))]
            }
    }

    private static func joined(_ segments: [Segment], _ form: FormValues) -> JSONText {
        var text = ""
        for segment in segments {
            switch segment {
            case .text(let part): text += part
            case .key: text += form.key
            case .formToken: text += form.formToken
            }
        }
        return JSONText(json: text)
    }
}
