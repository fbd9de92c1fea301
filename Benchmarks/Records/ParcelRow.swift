import Foundation
import LadingRecords
import LadingTesting

/// A row in the list of a city's parcels: a description, an address and a picture.
struct ParcelRow: PersistableRow, Codable {
    static let sortKeys: [RecordSortKey] = ["title"]

    var id: Int
    var title: String
    var address: String
    var picture: String
    var latitude: Double
    var longitude: Double

    var indexedFields: IndexedFields {
        IndexedFields(
            text: ["\(title) at \(address)"], location: GeographicPoint(latitude: latitude, longitude: longitude),
            sortValues: ["title": .text(title)])
    }

    private static let separator = "\u{1F}"

    func encoded() throws -> Data {
        Data([String(id), title, address, picture, String(latitude), String(longitude)].joined(separator: Self.separator).utf8)
    }

    init(encoded data: Data) throws {
        let parts = data.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 6, let id = Int(parts[0]), let latitude = Double(parts[4]), let longitude = Double(parts[5]) else {
            throw CocoaError(.coderReadCorrupt)
        }
        self.id = id
        (title, address, picture) = (parts[1], parts[2], parts[3])
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

extension ParcelRow {
    /// The number of rows for each row with a word that no other has.
    private static let rareWordInterval = 40_000
    private static let things = [
        "documents", "flowers", "groceries", "furniture", "pet food", "medicine", "spare parts", "books", "a birthday cake", "laundry",
        "wine", "toys", "a bicycle", "paint", "curtains", "vegetables", "a lamp", "shoes", "garden soil", "a coffee machine",
    ]
    private static let streets = [
        "Harbour Road", "Mill Lane", "Queen Street", "Bonham Road", "Castle Hill", "Station Square", "Łódzka", "Rue de l’Église",
        "Garden Walk",
        "Victoria Street", "Market Place", "North Parade", "Old Bridge Road", "Sankt-Jakobs-Gasse", "River View", "Church Path",
    ]

    /// Creates row number `id` of a list that is always the same.
    init(_ id: Int) {
        var random = SeededRandom(seed: UInt64(id))
        let thing = Self.things[Int.random(in: 0..<Self.things.count, using: &random)]
        let street = Self.streets[Int.random(in: 0..<Self.streets.count, using: &random)]
        let isRare = id % Self.rareWordInterval == Self.rareWordInterval / 2
        self.id = id
        title = "Deliver \(thing) to customer \(id % 9_973)" + (isRare ? " 珍珠奶茶 xylophone qj" : "")
        address = "\(Int.random(in: 1...240, using: &random)) \(street), floor \(Int.random(in: 1...40, using: &random))"
        picture = "/pictures/\(id % 64).svg"
        latitude = 22.2 + Double.random(in: 0..<0.3, using: &random)
        longitude = 113.9 + Double.random(in: 0..<0.4, using: &random)
    }
}
