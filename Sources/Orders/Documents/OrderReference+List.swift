import Foundation

extension OrderReference {
    /// Reads `orders.plist` or `items.plist`, a dictionary of ids and addresses, in the order of the ids.
    static func list(propertyList: [UInt8]) throws(OrderDocumentError) -> [OrderReference] {
        let value = try? PropertyListSerialization.propertyList(from: Data(propertyList), format: nil)
        guard let entries = value as? [String: Any] else { throw .noDictionary }
        var references: [OrderReference] = []
        references.reserveCapacity(entries.count)
        for (key, value) in entries {
            guard let id = Int(key) else { throw .keyIsNoNumber(key) }
            references.append(OrderReference(id: id, address: (value as? String)?.trimmed ?? "\(value)"))
        }
        return references.sorted { $0.id < $1.id }
    }
}
