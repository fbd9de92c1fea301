public import Foundation
public import LadingRecords

/// The fields of an order that searching and sorting need, computed once.
public struct OrderIndexedFields: Sendable {
    /// The title and the address.
    let text: FoldedText
    let price: Decimal?
    let currency: String
    /// The destination; nil when it is unknown.
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
