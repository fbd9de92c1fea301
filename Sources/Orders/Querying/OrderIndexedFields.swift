public import Foundation
public import LadingFeeds

/// What searching and sorting needs to know of an order, worked out once.
public struct OrderIndexedFields: Sendable {
    /// Title and address.
    let text: FoldedText
    let price: Decimal?
    let currency: String
    /// Where the order goes; nil when there is no such point.
    public let point: GeographicPoint?
    let unitVector: SIMD3<Double>
    public let deliveryTime: Date?

    public init(_ order: Order) {
        text = FoldedText(order.title, order.location.address)
        price = order.price
        currency = order.currency
        point = order.location.point
        unitVector = point?.unitVector ?? .zero
        deliveryTime = order.deliveryTime
    }
}
