import OrderStorage

extension Order {
    /// Creates the published form of a stored order. An address that has not been located has the coordinates 0, 0.
    init(id: Int, _ content: OrderContent) {
        let destination = content.destination
        self.init(
            id: id, title: content.title, info: content.note, price: content.price, currency: content.currency,
            itemCount: content.items.count, deliveryDate: content.deliveryTime,
            location: Location(
                address: destination.address, radius: destination.radius, radiusUnit: destination.radiusUnit,
                latitude: destination.coordinate?.latitude ?? 0, longitude: destination.coordinate?.longitude ?? 0),
            items: content.items.map { Item(id: $0.id, quantity: $0.quantity, unit: $0.unit) })
    }
}

extension OrderContent {
    init(_ order: Order) {
        let location = order.location
        self.init(
            title: order.title, note: order.info, price: order.price, currency: order.currency, deliveryTime: order.deliveryDate,
            destination: Destination(
                address: location.address, coordinate: Coordinate(latitude: location.latitude, longitude: location.longitude),
                radius: location.radius, radiusUnit: location.radiusUnit),
            items: order.items.map { Item(id: $0.id, quantity: $0.quantity, unit: $0.unit) })
    }
}
