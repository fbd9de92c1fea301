import Foundation
import LadingRecords
import LadingSQLite
import Testing
@testable import StoreFixtures

// ---- ROW
nonisolated struct Parcel: PersistableRow, Codable {
    static let sortKeys: [RecordSortKey] = ["weight"]

    var id: Int
    var title: String
    var weight: Double?
    var latitude: Double
    var longitude: Double

    var indexedFields: IndexedFields {
        var fields = IndexedFields(text: [title], location: GeographicPoint(latitude: latitude, longitude: longitude))
        fields.sortValues["weight"] = weight.map { .number($0) }
        return fields
    }
}
// ---- ROW

/// The code of Docs/Guides/RecordStore.md, which contains the lines between the markers verbatim.
@Suite struct RecordStoreGuideExample {
    @Test func `The example of the guide stores, finds and sorts parcels`() async throws {
        let folder = try StoreFolder()
        let (user, directory) = ("ann", folder.url)

        // ---- GUIDE
        let file = SQLiteRecordStore<Parcel>.file(for: "parcels", of: user, in: directory)
        let store = try SQLiteRecordStore<Parcel>(at: file)
        // ---- GUIDE

        let parcels: [(id: Int, title: String, weight: Double?)] = [
            (1, "Lamp", 2.5), (2, "Small lamp", nil), (3, "Table", 9), (4, "LÁMPARA", 1),
        ]
        let rows = parcels.map { id, title, weight in
            Parcel(id: id, title: title, weight: weight, latitude: 0, longitude: Double(id))
        }
        _ = try await store.store(RecordPage(rows, at: 0, generation: 1, next: .offset(4)))

        let first = try await store.records(RecordQuery(search: "lamp", order: .sorted("weight")), from: .first, limit: 20)

        #expect(first.rows.map(\.id) == [4, 1, 2])
        try store.close()
    }

    @Test func `The guide contains the example code`() throws {
        let file = URL(filePath: #filePath)
        let package = (1...4).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
        let source = try String(contentsOf: file, encoding: .utf8)
        let (row, parts) = (source.components(separatedBy: "// ---- ROW\n"), source.components(separatedBy: "        // ---- GUIDE\n"))
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/RecordStore.md"), encoding: .utf8)

        try #require(row.count == 3 && parts.count == 3)
        #expect(guide.contains("```swift\n\(row[1])```\n"))
        let code = parts[1].components(separatedBy: "\n").map { String($0.dropFirst(8)) }.joined(separator: "\n")
        #expect(guide.contains("```swift\n\(code)```\n"))
    }
}
