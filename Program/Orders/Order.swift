public import Foundation
public import LadingRecords

/// A grocery order: destination, delivery time, price and items.
///
/// The fields are those of `order-N.xml`, with trimmed texts. A missing text is empty, a missing number nil; `fieldErrors` has the reasons.
public struct Order: Identifiable, Hashable, Sendable, Codable {
    public var id: OrderID
    public var title: String
    /// Notes for the courier.
    public var info: String
    /// The price in `currency`; nil when it is missing or invalid.
    public var price: Decimal?
    /// The currency as sent by the server, usually an ISO 4217 code.
    public var currency: String
    /// The number of items reported by the server, which may differ from `items.count`; that count where the server reports none.
    public var itemCount: Int
    /// The delivery date as free text, such as `May, 15th 16:00`.
    public var deliveryDate: String
    /// The instant of `deliveryDate`; nil when it cannot be parsed.
    public var deliveryTime: Date?
    /// The components of `deliveryDate`; nil when it cannot be parsed.
    public var deliveryDateComponents: DeliveryDateComponents?
    public var location: OrderLocation
    public var items: [OrderItem]
    /// The errors of missing and invalid fields, in field order.
    public var fieldErrors: [OrderDocumentError] = []

    private enum CodingKeys: String, CodingKey {
        case id, title, info, price, currency, itemCount, deliveryDate, deliveryTime, location, items
        case deliveryDateComponents = "deliveryMoment"
        case fieldErrors = "flaws"
    }

    /// Whether the document has no list of items, as opposed to an empty one.
    package var isMissingItems: Bool { fieldErrors.contains(.missing("order/items")) }
}

/// The destination of an order, and the distance within which the courier may stop.
public struct OrderLocation: Hashable, Sendable, Codable {
    public var address: String
    /// The radius in `radiusUnit`; nil when it is missing or invalid.
    public var radius: Decimal?
    /// The unit of `radius`, such as `km`, `m` or `mi`.
    public var radiusUnit: String
    /// The geographic position; nil when it is missing or invalid.
    public var point: GeographicPoint?
}

/// An order line: an item and its quantity.
public struct OrderItem: Hashable, Sendable, Codable {
    /// The item's id in the catalog; nil when it is missing or not a number.
    public var id: Int?
    /// The quantity in `quantityUnit`; nil when it is missing or no decimal number.
    public var quantity: Decimal?
    /// The quantity as it was entered, such as `1/2`; nil when it is missing or a decimal number.
    public var quantityText: String?
    /// The unit of `quantity`, such as `kg` or `pc.`.
    public var quantityUnit: String
    /// The catalog item; nil before the join, and when the catalog has none.
    public var item: Item?
}

/// An item of the catalog, such as a pumpkin.
public struct Item: Identifiable, Hashable, Sendable, Codable {
    public var id: Int
    public var name: String
    /// The image URL, http or https; nil when the document has no usable one.
    public var imageURL: URL?
}
