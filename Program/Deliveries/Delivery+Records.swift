public import Foundation
public import LadingRecords

extension Delivery: PersistableRow {
    public static let sortKeys: [RecordSortKey] = [.title, .address, .pickup, .fee]

    public var indexedFields: IndexedFields {
        var fields = IndexedFields(text: searchText, location: location)
        fields.sortValues[.title] = title.isEmpty ? nil : .text(title)
        fields.sortValues[.address] = address.map { .text($0) }
        fields.sortValues[.pickup] = pickup.map { .number($0.timeIntervalSince1970) }
        fields.sortValues[.fee] = fee?.amount.map { .text($0.sortKey) }
        return fields
    }

    /// The maximum distance of a pickup time from 1970, in seconds. A damaged file can contain any number, and conversions of a huge one trap.
    private static let pickupLimit = 1e12
    /// The maximum offset from UTC, in seconds.
    private static let offsetLimit = 86_400

    /// Decodes a stored row. Earlier releases stored `isFavourite`, false also where the document did not mention favourites.
    public init(encoded data: Data) throws {
        let decoder = JSONDecoder()
        self = try decoder.decode(Delivery.self, from: data)
        if serverFavourite == nil, try decoder.decode(LegacyRow.self, from: data).isFavourite == true { serverFavourite = true }
        if let time = pickup?.timeIntervalSince1970, abs(time) > Self.pickupLimit { pickup = nil }
        if let offset = pickupOffset, !(-Self.offsetLimit...Self.offsetLimit).contains(offset) { pickupOffset = nil }
    }

    private struct LegacyRow: Decodable {
        let isFavourite: Bool?
    }

    private var searchText: [String] {
        let parts = [title, address ?? "", route?.start ?? "", route?.end ?? "", sender?.name ?? "", remarks]
        var seen: Set<String> = [""]
        return parts.filter { seen.insert($0).inserted }
    }
}

extension RecordSortKey {
    static let title: RecordSortKey = "title"
    static let address: RecordSortKey = "address"
    static let pickup: RecordSortKey = "pickup"
    static let fee: RecordSortKey = "fee"
}

extension Money.Amount {
    /// The sort key by currency, then amount, zero-padded so that the order of the texts is that of the numbers.
    fileprivate var sortKey: String {
        let digits = String(UInt64(bitPattern: Int64(hundredths)) ^ (1 << 63))
        return "\(currency) \(String(repeating: "0", count: 20 - digits.count))\(digits)"
    }
}
