import Foundation
import LadingHTTP
import OrderLifecycle

/// The entries of a form that creates or edits an order, as texts by the names of their fields.
struct DispatchForm {
    /// A field of the form.
    enum Field: String, CaseIterable {
        case title, address, latitude, longitude, due, price, currency, note, items, pin, externalID
        /// The fields that the form only keeps.
        case deliveryTime, radius, radiusUnit, storedDue

        /// The type of the HTML field; `area` for one of several lines.
        fileprivate var type: String {
            switch self {
            case .title, .address, .price, .currency, .pin, .externalID: "text"
            case .latitude, .longitude: "text"
            case .due: "datetime-local"
            case .note, .items: "area"
            case .deliveryTime, .radius, .radiusUnit, .storedDue: "hidden"
            }
        }

        fileprivate var maximumLength: Int {
            switch self {
            case .note, .items, .deliveryTime, .radius, .radiusUnit, .storedDue: 2_000
            case .title, .address: 500
            case .latitude, .longitude, .due, .price, .pin: 30
            case .currency: 3
            case .externalID: 100
            }
        }

        fileprivate var isRequired: Bool { [.title, .address, .price, .currency].contains(self) }

        /// - Parameter timeZone: The zone of the due time.
        fileprivate func label(_ texts: LocalizedStrings, _ timeZone: TimeZone) -> String {
            switch self {
            case .title: texts.orderTitle
            case .address: texts.address
            case .latitude: texts.latitude
            case .longitude: texts.longitude
            case .due: texts.dueTimeInZone.replacing("{zone}", with: timeZone.identifier)
            case .price: texts.price
            case .currency: texts.currency
            case .note: texts.noteForCourier
            case .items: texts.itemLines
            case .pin: texts.pinOfOrder
            case .externalID: texts.externalID
            case .deliveryTime, .radius, .radiusUnit, .storedDue: ""
            }
        }
    }

    private(set) var values: [Field: String]

    /// Creates the entries that a browser sent.
    init(_ form: FormFields) {
        values = Dictionary(uniqueKeysWithValues: Field.allCases.map { ($0, form[$0.rawValue]?.replacing("\r\n", with: "\n") ?? "") })
    }

    /// Creates the entries that show an order.
    init(_ order: APIOrder, timeZone: TimeZone) {
        values = [
            .title: order.title, .address: order.destination.address, .latitude: order.destination.latitude.map { "\($0)" } ?? "",
            .longitude: order.destination.longitude.map { "\($0)" } ?? "",
            .due: order.due.flatMap { Self.localText($0, in: timeZone) } ?? "", .price: order.price,
            .currency: order.currency, .note: order.note,
            .items: order.items.map { ItemLine($0).text }.joined(separator: "\n"), .pin: order.pin ?? "",
            .externalID: order.externalId ?? "", .deliveryTime: order.deliveryTime, .radius: "\(order.destination.radius)",
            .radiusUnit: order.destination.radiusUnit, .storedDue: order.due ?? "",
        ]
    }

    subscript(field: Field) -> String { values[field] ?? "" }

    /// Returns the fields of the form.
    ///
    /// - Parameters:
    ///   - timeZone: The zone of the due time, which the label names: tables show times in the zone of their reader.
    ///   - stored: What is stored now, if somebody else has changed it.
    func fields(
        _ texts: LocalizedStrings, timeZone: TimeZone, isNew: Bool, stored: DispatchForm? = nil
    ) -> [TemplateContext.DispatchField] {
        Field.allCases.filter { isNew || $0 != .externalID }.map { field in
            let other = stored.map { $0[field] }
            return TemplateContext.DispatchField(
                name: field.rawValue, label: field.label(texts, timeZone), value: self[field], type: field.type,
                isHidden: field.type == "hidden",
                isArea: field.type == "area",
                isRequired: field.isRequired, maximumLength: field.maximumLength,
                stored: other.flatMap { $0 == self[field] ? nil : texts.storedNow.replacing("{value}", with: $0.isEmpty ? "–" : $0) })
        }
    }

    // MARK: - The API

    /// Returns the content as the API expects it.
    ///
    /// - Parameter timeZone: The zone of the time.
    func body(isNew: Bool, timeZone: TimeZone) -> [String: JSONValue] {
        var destination: [String: JSONValue] = ["address": .text(self[.address])]
        for (field, name) in [(Field.latitude, "latitude"), (.longitude, "longitude")] where !trimmed(field).isEmpty {
            destination[name] = JSONValue(number: trimmed(field))
        }
        if !self[.radius].isEmpty { destination["radius"] = JSONValue(number: self[.radius]) }
        if !self[.radiusUnit].isEmpty { destination["radiusUnit"] = .text(self[.radiusUnit]) }
        var body: [String: JSONValue] = [
            "title": .text(self[.title]), "price": .text(trimmed(.price)), "currency": .text(trimmed(.currency).uppercased()),
            "note": .text(self[.note]), "destination": .object(destination), "items": .objects(items),
        ]
        if !self[.deliveryTime].isEmpty { body["deliveryTime"] = .text(self[.deliveryTime]) }
        if !trimmed(.due).isEmpty { body["due"] = .text(due(in: timeZone) ?? self[.due]) }
        if !trimmed(.pin).isEmpty { body["pin"] = .text(trimmed(.pin)) }
        if isNew, !trimmed(.externalID).isEmpty { body["externalId"] = .text(trimmed(.externalID)) }
        return body
    }

    private func trimmed(_ field: Field) -> String { self[field].trimmingCharacters(in: .whitespacesAndNewlines) }

    private var items: [[String: JSONValue]] {
        self[.items].split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.map { line in
            let item = ItemLine(line)
            return ["id": JSONValue(integer: item.number), "quantity": .text(item.quantity), "unit": .text(item.unit)]
        }
    }

    /// Returns the time of the form in RFC 3339; nil for another form, and for a time that the zone does not have.
    ///
    /// A time that was not changed keeps its seconds.
    private func due(in timeZone: TimeZone) -> String? {
        if Self.localText(self[.storedDue], in: timeZone) == trimmed(.due) { return self[.storedDue] }
        let style = Self.localStyle(timeZone)
        let text = trimmed(.due).count == 16 ? "\(trimmed(.due)):00" : trimmed(.due)
        // The parser ignores an offset and carries days over that the month lacks.
        guard let date = try? Date(text, strategy: style), date.formatted(style) == text else { return nil }
        return date.formatted(Date.ISO8601FormatStyle())
    }

    private static func localText(_ text: String, in timeZone: TimeZone) -> String? {
        guard let time = Timestamp(text: text) else { return nil }
        return String(Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000).formatted(localStyle(timeZone)).prefix(16))
    }

    /// The form of `datetime-local` fields, with seconds.
    private static func localStyle(_ timeZone: TimeZone) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
            .timeSeparator(.colon).dateTimeSeparator(.standard)
    }
}
