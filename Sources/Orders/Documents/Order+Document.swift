import Foundation
import LadingHTTP

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
    /// Reads `item-N.xml`; the id is that of the list. An item without a usable picture is an item still.
    ///
    /// - Parameter url: Where the document is; a relative address of a picture is meant beside it.
    init(id: Int, document: [UInt8], at url: URL) throws(OrderDocumentError) {
        let item = try MarkupReader().read(document, root: "item")
        self.init(id: id, name: try item.text(of: "name"), imageURL: item.address("imageUrl", beside: url))
    }
}

extension MarkupElement {
    /// The address of scheme http or https that a child holds; nil when there is none.
    fileprivate func address(_ name: String, beside document: URL) -> URL? {
        guard let text = try? text(of: name), !text.isEmpty, text.utf8.count <= OrderReference.addressLimit,
            let url = URL(string: text, relativeTo: document)?.absoluteURL, URLPolicy().objection(to: url) == nil
        else { return nil }
        return url
    }
}
