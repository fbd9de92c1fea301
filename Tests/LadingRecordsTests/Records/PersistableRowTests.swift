import Foundation
import LadingRecords
import Testing

@Suite struct PersistableRowTests {
    private struct Parcel: PersistableRow, Codable {
        var id = 1
        var address = "x"
        var colour = "x"
        var height = 2
        var label = "x"
        var sender = "x"
        var title = "x"
        var weight = 3

        var indexedFields: IndexedFields { IndexedFields(text: [title]) }
    }

    private struct Letter: PersistableRow, Codable {
        var id: UUID

        var indexedFields: IndexedFields { IndexedFields() }
    }

    @Test func `Encoding a row is deterministic`() throws {
        let text = #"{"address":"x","colour":"x","height":2,"id":1,"label":"x","sender":"x","title":"x","weight":3}"#

        #expect(String(decoding: try Parcel().encoded(), as: UTF8.self) == text)
    }

    @Test func `The storage key of a UUID is its text`() {
        let id = UUID()

        #expect(Letter.storageKey(of: id) == id.uuidString)
    }
}
