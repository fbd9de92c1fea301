import Foundation
import Orders

/// One order as it is printed: loaded, or failed with the reason.
enum OrderLine: Sendable {
    case loaded(Order)
    case failed(Int, String)

    var error: String? {
        if case .failed(_, let error) = self { error } else { nil }
    }

    var id: Int {
        switch self {
        case .loaded(let order): order.id
        case .failed(let id, _): id
        }
    }

    /// A value as one line of JSON with its keys in order.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

extension OrderLine: Encodable {
    private enum Key: String, CodingKey {
        case id, state, error, title, info, price, currency, itemCount, deliveryDate, location, items
        case address, radius, radiusUnit, latitude, longitude
        case name, imageUrl, quantity, quantityUnit
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(id, forKey: .id)
        switch self {
        case .failed(_, let error):
            try fields.encode("failed", forKey: .state)
            try fields.encode(error, forKey: .error)
        case .loaded(let order):
            try fields.encode("loaded", forKey: .state)
            try Self.encode(order, to: &fields)
        }
    }

    private static func encode(_ order: Order, to fields: inout KeyedEncodingContainer<Key>) throws {
        try fields.encode(order.title, forKey: .title)
        try fields.encode(order.info, forKey: .info)
        try fields.encode(order.price, forKey: .price)
        try fields.encode(order.currency, forKey: .currency)
        try fields.encode(order.itemCount, forKey: .itemCount)
        try fields.encode(order.deliveryDate, forKey: .deliveryDate)
        var location = fields.nestedContainer(keyedBy: Key.self, forKey: .location)
        try location.encode(order.location.address, forKey: .address)
        try location.encode(order.location.radius, forKey: .radius)
        try location.encode(order.location.radiusUnit, forKey: .radiusUnit)
        try location.encode(order.location.latitude, forKey: .latitude)
        try location.encode(order.location.longitude, forKey: .longitude)
        var items = fields.nestedUnkeyedContainer(forKey: .items)
        for line in order.items {
            var item = items.nestedContainer(keyedBy: Key.self)
            try item.encode(line.id, forKey: .id)
            try item.encode(line.item?.name, forKey: .name)
            try item.encode(line.item?.imageURL.absoluteString, forKey: .imageUrl)
            try item.encode(line.quantity, forKey: .quantity)
            try item.encode(line.quantityUnit, forKey: .quantityUnit)
        }
    }
}
