import LadingRecords
import Orders

extension OrderContexts {
    /// Returns the delivery window of an order, such as "Friday afternoon", which the page of the order shows beside the due time; nil without one.
    ///
    /// The text of an order of the demo is a date, of which the due time is the next occurrence.
    func deliveryWindow(of order: APIOrder) -> String? {
        guard order.due != nil, !order.deliveryTime.isEmpty else { return nil }
        let parsed = Order(
            id: order.orderID, title: "", info: "", price: "", currency: "", deliveryDate: order.deliveryTime, timeZone: timeZone,
            sentAt: now(), location: OrderLocation(address: "", radius: 0, radiusUnit: "", point: nil), items: [])
        return parsed.deliveryDateComponents == nil ? order.deliveryTime.truncated(to: 200) : nil
    }
}
