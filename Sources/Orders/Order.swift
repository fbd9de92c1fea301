public import Foundation

/// One grocery order: what is to be delivered where, when, and for how much.
///
/// The fields are those of the original service's `order-N.xml`; texts are trimmed.
public struct Order: Identifiable, Hashable, Sendable {
    public var id: OrderID
    public var title: String
    /// Notes for the courier.
    public var info: String
    /// In `currency`.
    public var price: Decimal
    /// As the server names it, usually an ISO 4217 code.
    public var currency: String
    /// How many items the server counts, which may differ from the number of lines in `items`.
    public var itemCount: Int
    /// Free text, such as `May, 15th 16:00`.
    public var deliveryDate: String
    /// The moment that `deliveryDate` means; nil when it cannot be read.
    public var deliveryTime: Date?
    public var location: OrderLocation
    public var items: [OrderItem]
}

/// Where an order goes, and how near to it the courier may stop.
public struct OrderLocation: Hashable, Sendable {
    public var address: String
    /// In `radiusUnit`.
    public var radius: Decimal
    /// Such as `km`, `m` or `mi`.
    public var radiusUnit: String
    /// In degrees, north positive.
    public var latitude: Double
    /// In degrees, east positive.
    public var longitude: Double
}

/// One line of an order: how much of which item.
public struct OrderItem: Hashable, Sendable {
    /// The item's id in the catalogue; nil when the document gives none that is a number.
    public var id: Int?
    /// In `quantityUnit`.
    public var quantity: Decimal
    /// Such as `kg` or `pc.`.
    public var quantityUnit: String
    /// What the catalogue knows of the item; nil before the two are joined, and when the catalogue does not know it.
    public var item: Item?
}

/// An item of the catalogue, such as a pumpkin.
public struct Item: Identifiable, Hashable, Sendable {
    public var id: Int
    public var name: String
    /// Where its picture is, a URL of scheme http or https; nil when its document tells of none that can be asked.
    public var imageURL: URL?
}
