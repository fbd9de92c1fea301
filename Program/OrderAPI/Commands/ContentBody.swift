import Foundation
import OrderLifecycle
import OrderStorage

/// The content of an order in the body of a request.
struct ContentBody: Decodable {
    let title: String
    let note: String?
    let price: String
    let currency: String
    let deliveryTime: String?
    let due: String?
    let destination: Destination
    let items: [Item]?
    let pin: String?
    let externalId: String?

    struct Destination: Decodable {
        let address: String
        let latitude: Double?
        let longitude: Double?
        let radius: Double?
        let radiusUnit: String?
    }

    struct Item: Decodable {
        let id: Int
        let quantity: String
        let unit: String
    }

    /// Returns the content, whose items are not checked: earlier releases have accepted others.
    ///
    /// - Throws: `APIProblem` for another value that is not allowed.
    func content() throws -> OrderContent {
        try checkTexts()
        let due = try due.map { text in
            guard let time = Timestamp(text: text) else {
                throw APIProblem.invalid("\"due\" must be a time such as 2026-05-15T12:00:00Z.", field: "due", rule: .time)
            }
            return time
        }
        return OrderContent(
            title: title, note: note ?? "", price: price, currency: currency, deliveryTime: deliveryTime ?? "", due: due,
            destination: try storedDestination(), items: storedItems, pin: pin)
    }

    private func checkTexts() throws {
        let texts: [(String, OrderContentRules.TextField, String?)] = [
            ("title", .title, title), ("note", .note, note), ("price", .price, price), ("currency", .currency, currency),
            ("deliveryTime", .deliveryTime, deliveryTime), ("destination.address", .address, destination.address),
            ("destination.radiusUnit", .radiusUnit, destination.radiusUnit), ("externalId", .externalID, externalId), ("pin", .pin, pin),
        ]
        for (name, field, text) in texts {
            if let text { try Self.check(name, OrderContentRules.violation(of: text, in: field)) }
        }
    }

    private static func check(_ name: String, _ violation: OrderContentRules.Violation?) throws {
        if let violation { throw problem(name, violation) }
    }

    private static func problem(_ name: String, _ violation: OrderContentRules.Violation) -> APIProblem {
        APIProblem.invalid("\"\(name)\" \(violation.requirement).", field: name, rule: violation.rule)
    }

    private func storedDestination() throws -> OrderContent.Destination {
        guard (destination.latitude == nil) == (destination.longitude == nil) else {
            throw APIProblem.invalid(
                "Send both \"latitude\" and \"longitude\", or none.",
                field: destination.latitude == nil ? "destination.latitude" : "destination.longitude", rule: .coordinateIncomplete)
        }
        if let latitude = destination.latitude {
            try Self.check("destination.latitude", OrderContentRules.violation(ofLatitude: latitude))
        }
        if let longitude = destination.longitude {
            try Self.check("destination.longitude", OrderContentRules.violation(ofLongitude: longitude))
        }
        let coordinate = destination.latitude.flatMap { latitude in
            destination.longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        let radius = destination.radius ?? 0
        try Self.check("destination.radius", OrderContentRules.violation(ofRadius: radius))
        return OrderContent.Destination(
            address: destination.address, coordinate: coordinate, radius: radius, radiusUnit: destination.radiusUnit ?? "m")
    }

    private var storedItems: [OrderContent.Item] {
        (items ?? []).map { OrderContent.Item(id: $0.id, quantity: $0.quantity, unit: $0.unit) }
    }

    /// Returns the problem of items that are not allowed; nil if they are.
    static func problem(ofItems items: [OrderContent.Item]) -> APIProblem? {
        OrderContentRules.violation(of: items).map { problem("items", $0) }
    }
}
