import Foundation
import OrderLifecycle
import OrderStorage

/// The content of an order in the body of a request.
struct ContentBody: Decodable {
    private static let textLimit = 2_000
    private static let itemLimit = 500
    private static let pinLengths = 3...12

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

    /// Returns the content.
    ///
    /// - Throws: `APIProblem` for a value that is not allowed.
    func content() throws -> OrderContent {
        try checkTexts()
        guard price.wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,3})?/) != nil else {
            throw APIProblem.invalid("\"price\" must be an amount such as 42.50.")
        }
        guard currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw APIProblem.invalid("\"currency\" must be a code of ISO 4217 such as EUR.")
        }
        let due = try due.map { text in
            guard let time = Timestamp(text: text) else { throw APIProblem.invalid("\"due\" must be a time such as 2026-05-15T12:00:00Z.") }
            return time
        }
        return OrderContent(
            title: title, note: note ?? "", price: price, currency: currency, deliveryTime: deliveryTime ?? "", due: due,
            destination: try storedDestination(), items: try storedItems(), pin: pin)
    }

    private func checkTexts() throws {
        guard !title.allSatisfy(\.isWhitespace) else { throw APIProblem.invalid("\"title\" must not be empty.") }
        guard !destination.address.allSatisfy(\.isWhitespace) else {
            throw APIProblem.invalid("\"destination.address\" must not be empty.")
        }
        let texts = [title, note, deliveryTime, destination.address, destination.radiusUnit, externalId].compactMap(\.self)
        guard texts.allSatisfy({ $0.utf8.count <= Self.textLimit }) else {
            throw APIProblem.invalid("A text must not exceed \(Self.textLimit) bytes.")
        }
        guard texts.allSatisfy({ !$0.unicodeScalars.contains("\0") }) else {
            throw APIProblem.invalid("A text must not contain U+0000.")
        }
        if let externalId, !(1...CommandRequest.identifierLimit).contains(externalId.utf8.count) {
            throw APIProblem.invalid("\"externalId\" must have 1 to \(CommandRequest.identifierLimit) bytes.")
        }
        if let pin, !Self.pinLengths.contains(pin.utf8.count) || !pin.utf8.allSatisfy({ (48...57).contains($0) }) {
            throw APIProblem.invalid("\"pin\" must have \(Self.pinLengths.lowerBound) to \(Self.pinLengths.upperBound) digits.")
        }
    }

    private func storedDestination() throws -> OrderContent.Destination {
        guard (destination.latitude == nil) == (destination.longitude == nil) else {
            throw APIProblem.invalid("Send both \"latitude\" and \"longitude\", or none.")
        }
        let coordinate = try destination.latitude.flatMap { latitude in
            try destination.longitude.map { longitude in
                guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
                    throw APIProblem.invalid("\"latitude\" must be from -90 to 90, \"longitude\" from -180 to 180.")
                }
                return coordinate
            }
        }
        let radius = destination.radius ?? 0
        guard radius >= 0, radius <= 1_000_000 else { throw APIProblem.invalid("\"radius\" must be from 0 to 1000000.") }
        return OrderContent.Destination(
            address: destination.address, coordinate: coordinate, radius: radius, radiusUnit: destination.radiusUnit ?? "m")
    }

    private func storedItems() throws -> [OrderContent.Item] {
        let items = items ?? []
        guard items.count <= Self.itemLimit else { throw APIProblem.invalid("An order has at most \(Self.itemLimit) items.") }
        return try items.map { item in
            guard item.id > 0, item.quantity.utf8.count <= 40, item.unit.utf8.count <= 40 else {
                throw APIProblem.invalid("An item has a positive id, and at most 40 bytes in \"quantity\" and \"unit\".")
            }
            return OrderContent.Item(id: item.id, quantity: item.quantity, unit: item.unit)
        }
    }
}
