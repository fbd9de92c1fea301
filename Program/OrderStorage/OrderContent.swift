import Foundation
package import OrderLifecycle

/// The goods, the destination and the price of an order, as a dispatcher enters them.
package struct OrderContent: Codable, Hashable, Sendable {
    package var title: String
    /// Notes for the courier.
    package var note: String
    /// An amount in `currency` with a decimal point: `42.50`.
    package var price: String
    /// ISO 4217.
    package var currency: String
    /// Free text such as `May, 15th 16:00`.
    package var deliveryTime: String
    /// The time by which the order is due; nil if unknown.
    package var due: Timestamp?
    package var destination: Destination
    package var items: [Item]
    /// The number that the recipient tells the courier as a proof of delivery; nil if the order has none.
    package var pin: String?

    package init(
        title: String, note: String = "", price: String, currency: String, deliveryTime: String = "", due: Timestamp? = nil,
        destination: Destination, items: [Item] = [], pin: String? = nil
    ) {
        self.title = title
        self.note = note
        self.price = price
        self.currency = currency
        self.deliveryTime = deliveryTime
        self.due = due
        self.destination = destination
        self.items = items
        self.pin = pin
    }

    /// The price in thousandths, for sorting; 0 for text that is no price.
    package var amount: Int {
        guard let amount = Decimal(string: price, locale: Locale(identifier: "en_US_POSIX")) else { return 0 }
        let thousandths = NSDecimalNumber(decimal: amount * 1_000).doubleValue
        return Int(exactly: thousandths.rounded()) ?? 0
    }

    /// An address, and the radius within which the recipient can be.
    package struct Destination: Codable, Hashable, Sendable {
        package var address: String
        /// Nil until the address has been located.
        package var coordinate: Coordinate?
        package var radius: Double
        package var radiusUnit: String

        package init(address: String, coordinate: Coordinate?, radius: Double = 0, radiusUnit: String = "m") {
            self.address = address
            self.coordinate = coordinate
            self.radius = radius
            self.radiusUnit = radiusUnit
        }
    }

    /// An amount of one grocery.
    package struct Item: Codable, Hashable, Sendable {
        /// The id of the grocery.
        package var id: Int
        package var quantity: String
        package var unit: String

        package init(id: Int, quantity: String, unit: String) {
            self.id = id
            self.quantity = quantity
            self.unit = unit
        }
    }
}
