public import Foundation
public import LadingFeeds

/// One grocery order: what is to be delivered where, when, and for how much.
///
/// The fields are those of the original service's `order-N.xml`; texts are trimmed. A text that the document lacks is empty, and a number nil;
/// `flaws` has the reasons.
public struct Order: Identifiable, Hashable, Sendable, Codable {
    public var id: OrderID
    public var title: String
    /// Notes for the courier.
    public var info: String
    /// In `currency`; nil when the document has none that can be read.
    public var price: Decimal?
    /// As the server names it, usually an ISO 4217 code.
    public var currency: String
    /// The number of items by the server's count, which may differ from the number of lines in `items`; that number where the server has none.
    public var itemCount: Int
    /// Free text, such as `May, 15th 16:00`.
    public var deliveryDate: String
    /// The moment that `deliveryDate` means; nil when it cannot be read.
    public var deliveryTime: Date?
    /// What `deliveryDate` says, as a clock shows it; nil when it cannot be read.
    public var deliveryDateComponents: DeliveryDateComponents?
    public var location: OrderLocation
    public var items: [OrderItem]
    /// The errors of the fields that are missing or cannot be read, in the order of the fields.
    public var fieldErrors: [OrderDocumentError] = []

    private enum CodingKeys: String, CodingKey {
        case id, title, info, price, currency, itemCount, deliveryDate, deliveryTime, location, items
        case deliveryDateComponents = "deliveryMoment"
        case fieldErrors = "flaws"
    }

    /// Whether the document has no list of items, so that `items` is empty for want of one.
    package var isMissingItems: Bool { fieldErrors.contains(.missing("order/items")) }
}

/// The destination of an order, and how near to it the courier may stop.
public struct OrderLocation: Hashable, Sendable, Codable {
    public var address: String
    /// In `radiusUnit`.
    public var radius: Decimal?
    /// Such as `km`, `m` or `mi`.
    public var radiusUnit: String
    /// The point on the globe; nil when the document has none that can be read.
    public var point: GeographicPoint?
}

/// One line of an order: how much of which item.
public struct OrderItem: Hashable, Sendable, Codable {
    /// The item's id in the catalogue; nil when the document gives none that is a number.
    public var id: Int?
    /// In `quantityUnit`; nil when the document has none that can be read.
    public var quantity: Decimal?
    /// Such as `kg` or `pc.`.
    public var quantityUnit: String
    /// What the catalogue knows of the item; nil before the two are joined, and when the catalogue does not know it.
    public var item: Item?
}

/// An item of the catalogue, such as a pumpkin.
public struct Item: Identifiable, Hashable, Sendable, Codable {
    public var id: Int
    public var name: String
    /// Where its picture is, a URL of scheme http or https; nil when its document tells of none that can be asked.
    public var imageURL: URL?
}
