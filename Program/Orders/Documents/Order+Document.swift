import Foundation
import LadingHTTP

extension Order {
    /// Creates an order from `order-N.xml`; the id comes from the list.
    ///
    /// The outermost element and a title are required. Errors of all other fields are recorded in `fieldErrors`.
    ///
    /// - Parameter charset: The encoding named by the response, for documents that declare none.
    init(id: OrderID, document: [UInt8], charset: String? = nil, dates: DeliveryDateReader) throws(OrderDocumentError) {
        let order = try XMLReader().read(document, root: "order", charset: charset)
        let title = try order.text(of: "title")
        var fields = FieldReader(order)
        let info = fields.text("info")
        let price = fields.decimal("price")
        let currency = fields.text("currency")
        let itemCount = fields.count("itemCount")
        let deliveryDate = fields.text("deliveryDate")
        let due = dates.read(deliveryDate)
        let location = OrderLocation(&fields)
        let items = OrderItem.list(&fields)
        self.init(
            id: id, title: title, info: info, price: price, currency: currency, itemCount: itemCount ?? items.count,
            deliveryDate: deliveryDate, deliveryTime: due?.time, deliveryDateComponents: due?.components, location: location, items: items,
            fieldErrors: fields.errors)
    }
}

extension OrderLocation {
    fileprivate init(_ order: inout FieldReader) {
        var fields = order.child("location")
        self.init(
            address: fields.text("address"),
            radius: fields.decimal("radius"),
            radiusUnit: fields.text("radiusUnit"),
            point: fields.point())
        order.errors += fields.errors
    }
}

extension OrderItem {
    fileprivate static func list(_ order: inout FieldReader) -> [OrderItem] {
        let fields = order.child("items")
        order.errors += fields.errors
        return (fields.element?.children ?? []).filter { $0.name == "item" }.map { OrderItem($0, &order.errors) }
    }

    /// Creates an order line; a line without a numeric item id remains in the list.
    private init(_ item: ParsedElement, _ errors: inout [OrderDocumentError]) {
        var fields = FieldReader(item)
        let id = fields.text("id").asWholeNumber
        let quantity = fields.decimal("quantity")
        let quantityText = try? item.text(of: "quantity")
        self.init(
            id: id, quantity: quantity, quantityText: quantity == nil && quantityText != "" ? quantityText : nil,
            quantityUnit: fields.text("quantityUnit"))
        errors += fields.errors
    }
}

extension Item {
    /// Creates an item from `item-N.xml`; the id comes from the list. The image URL is optional.
    ///
    /// - Parameters:
    ///   - charset: The encoding named by the response, for documents that declare none.
    ///   - url: The URL of the document, the base of relative image URLs.
    init(id: Int, document: [UInt8], charset: String? = nil, at url: URL) throws(OrderDocumentError) {
        let item = try XMLReader().read(document, root: "item", charset: charset)
        self.init(id: id, name: try item.text(of: "name"), imageURL: item.url("imageUrl", relativeTo: url))
    }
}

extension ParsedElement {
    /// Returns the http or https URL in a child; nil when there is none.
    fileprivate func url(_ name: String, relativeTo document: URL) -> URL? {
        guard let text = try? text(of: name), !text.isEmpty, text.utf8.count <= OrderReference.addressLimit,
            let url = URL(string: text, relativeTo: document)?.absoluteURL, URLPolicy().violation(for: url) == nil
        else { return nil }
        return url
    }
}
