import Foundation

extension Order {
    /// Reads `order-N.xml`. All fields of the original must be there; the id is that of the list.
    init(id: Int, document: [UInt8]) throws(OrderDocumentError) {
        let order = try MarkupReader().read(document, root: "order")
        self.init(
            id: id,
            title: try order.text(of: "title"),
            info: try order.text(of: "info"),
            price: try order.decimal("price"),
            currency: try order.text(of: "currency"),
            itemCount: try order.number("itemCount"),
            deliveryDate: try order.text(of: "deliveryDate"),
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
            latitude: try location.coordinate("latitude", limit: 90),
            longitude: try location.coordinate("longitude", limit: 180))
    }
}

extension OrderItem {
    fileprivate init(_ item: MarkupElement) throws(OrderDocumentError) {
        self.init(
            id: try item.number("id"),
            quantity: try item.decimal("quantity"),
            quantityUnit: try item.text(of: "quantityUnit"))
    }
}

extension Item {
    /// Reads `item-N.xml`; the id is that of the list.
    init(id: Int, document: [UInt8]) throws(OrderDocumentError) {
        let item = try MarkupReader().read(document, root: "item")
        let address = try item.text(of: "imageUrl")
        guard let imageURL = URL(string: address), imageURL.scheme != nil else { throw .noAddress(address) }
        self.init(id: id, name: try item.text(of: "name"), imageURL: imageURL)
    }
}

extension MarkupElement {
    /// The decimal number that a child holds, exactly as written: no digit is lost to binary fractions.
    fileprivate func decimal(_ name: String) throws(OrderDocumentError) -> Decimal {
        let text = try text(of: name)
        let isPlain = text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E || $0 == 0x2D }
        guard isPlain, text.count <= 30, Double(text) != nil, let number = Decimal(string: text) else {
            throw .notANumber("\(self.name)/\(name)", text: text)
        }
        return number
    }

    /// The degrees that a child holds, within ± the limit.
    fileprivate func coordinate(_ name: String, limit: Double) throws(OrderDocumentError) -> Double {
        let degrees = try number(name, as: Double.self)
        guard degrees.isFinite, abs(degrees) <= limit else {
            throw .notANumber("\(self.name)/\(name)", text: String(degrees))
        }
        return degrees
    }
}
