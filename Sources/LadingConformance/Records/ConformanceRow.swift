public import LadingRecords

/// The row of the record store suite, with a text, a weight, and coordinates.
public struct ConformanceRow: PersistableRow, Codable, Hashable {
    public static let sortKeys: [RecordSortKey] = ["title", "weight"]

    public var id: Int
    public var title: String
    public var weight: Double?
    /// The latitude and longitude in degrees.
    public var coordinates: [Double]?

    private enum CodingKeys: String, CodingKey {
        case id, title, weight
        case coordinates = "spot"
    }

    public init(_ id: Int, _ title: String = "", weight: Double? = nil, coordinates: [Double]? = nil) {
        self.id = id
        self.title = title
        self.weight = weight
        self.coordinates = coordinates
    }

    public var indexedFields: IndexedFields {
        let location = coordinates.flatMap { GeographicPoint(latitude: $0[0], longitude: $0[1]) }
        var keys: [RecordSortKey: RecordSortValue] = ["title": .text(title)]
        keys["weight"] = weight.map { .number($0) }
        return IndexedFields(text: [title, "number \(id)"], location: location, sortValues: keys)
    }
}
