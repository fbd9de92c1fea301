import Foundation
import LadingRecords
import OrderLifecycle
import Orders

/// An order as the API describes it.
struct APIOrder: Decodable, Hashable, Identifiable, Sendable {
    struct Person: Decodable, Hashable, Sendable {
        let id: String
        let name: String?
    }

    struct Destination: Decodable, Hashable, Sendable {
        let address: String
        let latitude: Double?
        let longitude: Double?
        let radius: Double
        let radiusUnit: String
    }

    struct Item: Decodable, Hashable, Sendable {
        let id: Int
        let quantity: String
        let unit: String
    }

    let id: Int
    let state: OrderState
    /// The fence that the courier's commands carry.
    let fence: Int
    /// The fence and the number of events, with a point between them.
    let version: String
    let title: String
    let note: String
    let price: String
    let currency: String
    let deliveryTime: String
    /// RFC 3339; nil if the time is unknown.
    let due: String?
    let destination: Destination
    let items: [Item]
    /// Whether the recipient tells the courier a number.
    let hasPin: Bool
    let holder: Person?
    /// The number of attempts to deliver.
    let attempts: Int
    /// The fields of which only dispatchers see all.
    var externalId: String?
    var attention: [String]?
    var pin: String?
}

extension APIOrder {
    /// Returns an order of which only the id is known.
    static func withoutContent(id: Int) -> APIOrder {
        APIOrder(
            id: id, state: .claimed, fence: 0, version: "0.0", title: "", note: "", price: "", currency: "", deliveryTime: "", due: nil,
            destination: Destination(address: "", latitude: nil, longitude: nil, radius: 0, radiusUnit: ""), items: [], hasPin: false,
            holder: nil, attempts: 0)
    }

    var orderID: OrderID { OrderID(id) }

    /// The number of events of the order, which only increases.
    var eventCount: Int { version.split(separator: ".").last.flatMap { Int($0) } ?? 0 }

    /// Whether a courier has this order.
    func isHeld(by person: String) -> Bool { state.hasHolder && holder?.id == person }

    /// Returns the order for the page.
    ///
    /// - Parameter timeZone: The zone of a delivery time without one.
    func order(timeZone: TimeZone, now: Date) -> Order {
        let point: GeographicPoint? =
            if let latitude = destination.latitude, let longitude = destination.longitude {
                GeographicPoint(latitude: latitude, longitude: longitude)
            } else {
                nil
            }
        return Order(
            id: orderID, title: title, info: note, price: price, currency: currency, deliveryDate: due ?? deliveryTime, timeZone: timeZone,
            sentAt: now,
            location: OrderLocation(
                address: destination.address, radius: destination.radius, radiusUnit: destination.radiusUnit, point: point),
            items: items.map { OrderItem(id: $0.id, quantity: $0.quantity, unit: $0.unit) })
    }
}

/// A page of orders.
struct APIOrderPage: Decodable, Sendable {
    /// The position of the change feed at which the page was read.
    let position: String
    /// The cursor of the next page; nil at the end.
    private(set) var next: String?
    private(set) var orders: [APIOrder]

    /// Appends the next page. The position stays: changes since then are received again.
    mutating func append(_ page: APIOrderPage) {
        orders += page.orders
        next = page.next
    }
}

/// A change of the feed, as far as the person may see it.
struct APIChange: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        /// The order is or was the courier's, or the person is a dispatcher.
        case event, report
        /// The order is open.
        case open
        /// The order is not open any more, or not the courier's.
        case left
    }

    let order: Int
    let kind: Kind
}
