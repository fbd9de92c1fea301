import Foundation

extension Order {
    /// Reads `order-N.xml`. All fields of the original must be there; the id is that of the list.
    init(id: OrderID, document: [UInt8], dates: DeliveryDateReader) throws(OrderDocumentError) {
        let order = try MarkupReader().read(document, root: "order")
        let deliveryDate = try order.text(of: "deliveryDate")
        self.init(
            id: id,
            title: try order.text(of: "title"),
            info: try order.text(of: "info"),
            price: try order.decimal("price"),
            currency: try order.text(of: "currency"),
            itemCount: try order.count("itemCount"),
            deliveryDate: deliveryDate,
            deliveryTime: dates.time(deliveryDate),
            location: try OrderLocation(order.child("location")),
            items: try Self.items(in: order.child("items")))
    }

    private static func items(in element: MarkupElement) throws(OrderDocumentError) -> [OrderItem] {
        var items: [OrderItem] = []
        for child in element.children where child.name == "item" { items.append(try OrderItem(child)) }
        return items
    }
}

extension OrderLocation {
    fileprivate init(_ location: MarkupElement) throws(OrderDocumentError) {
        self.init(
            address: try location.text(of: "address"),
            radius: try location.decimal("radius"),
            radiusUnit: try location.text(of: "radiusUnit"),
            latitude: try location.degrees("latitude", limit: 90),
            longitude: try location.degrees("longitude", limit: 180))
    }
}

extension OrderItem {
    /// A line that names no item by number is a line still.
    fileprivate init(_ item: MarkupElement) throws(OrderDocumentError) {
        self.init(
            id: try item.text(of: "id").asWholeNumber,
            quantity: try item.decimal("quantity"),
            quantityUnit: try item.text(of: "quantityUnit"))
    }
}

extension Item {
    /// Reads `item-N.xml`; the id is that of the list.
    init(id: Int, document: [UInt8]) throws(OrderDocumentError) {
        let item = try MarkupReader().read(document, root: "item")
        let imageURL = try URL(documentAddress: item.text(of: "imageUrl"))
        self.init(id: id, name: try item.text(of: "name"), imageURL: imageURL)
    }
}
