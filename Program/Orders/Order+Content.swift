package import Foundation
package import LadingRecords

extension Order {
    /// Creates an order from the content that another service describes.
    ///
    /// - Parameters:
    ///   - price: A number with a decimal point.
    ///   - deliveryDate: Free text such as `May, 15th 16:00`, without a year.
    ///   - sentAt: The time to which the year is nearest.
    package init(
        id: OrderID, title: String, info: String, price: String, currency: String, deliveryDate: String, timeZone: TimeZone, sentAt: Date,
        location: OrderLocation, items: [OrderItem]
    ) {
        let due = DeliveryDateReader(timeZone: timeZone, reference: sentAt).read(deliveryDate)
        self.init(
            id: id, title: title, info: info, price: price.asPlainDecimal, currency: currency,
            itemCount: items.count, deliveryDate: deliveryDate, deliveryTime: due?.time, deliveryDateComponents: due?.components,
            location: location, items: items)
    }
}

extension OrderLocation {
    package init(address: String, radius: Double, radiusUnit: String, point: GeographicPoint?) {
        self.init(address: address, radius: Decimal(radius), radiusUnit: radiusUnit, point: point)
    }
}

extension OrderItem {
    /// - Parameter quantity: A number with a decimal point, or another text such as `1/2`.
    package init(id: Int, quantity: String, unit: String) {
        let number = quantity.asPlainDecimal
        self.init(id: id, quantity: number, quantityText: number == nil && !quantity.isEmpty ? quantity : nil, quantityUnit: unit)
    }
}
