import Foundation
import LadingRecords
import Testing
@testable import Deliveries

/// Storage, search and sort of deliveries, and local favourites.
@Suite struct DeliveryTests {
    private let full = Delivery(
        id: "a7", title: "Deliver toys", imageURL: URL(string: "http://p.org/1"), location: GeographicPoint(latitude: 1, longitude: 2),
        address: "Elm Street", isFavourite: true, route: DeliveryRoute(start: "Oak", end: "Elm Street"),
        sender: DeliverySender(name: "Ann", phone: "1", email: "a@b"), remarks: "Ring", pickup: Date(timeIntervalSince1970: 7),
        fee: Money("$9"), surcharge: Money("free"))

    private func stored(_ delivery: Delivery, _ changes: [String: Data] = [:]) -> StoredRecord<Delivery> {
        StoredRecord(delivery, place: 0, generation: 1, storedAt: Date(timeIntervalSince1970: 0), localChanges: changes)
    }

    @Test func `A stored delivery is read back unchanged`() throws {
        #expect(try Delivery(encoded: full.encoded()) == full)
        #expect(try Delivery(encoded: Delivery(id: 1).encoded()) == Delivery(id: 1))
    }

    @Test func `A pickup time beyond all calendars is unknown`() throws {
        var damaged = full
        damaged.pickup = Date(timeIntervalSince1970: 1e163)
        damaged.pickupOffset = .min

        let delivery = try Delivery(encoded: damaged.encoded())

        #expect(delivery.pickup == nil && delivery.pickupOffset == nil)
        #expect(delivery.title == full.title)
    }

    @Test(arguments: [(true, true), (false, nil)] as [(Bool, Bool?)])
    func `A row of an earlier release states a favourite only when it was true`(stored: Bool, read: Bool?) throws {
        var earlier = try #require(try JSONSerialization.jsonObject(with: full.encoded()) as? [String: Any])
        earlier["statedFavourite"] = nil
        earlier["isFavourite"] = stored

        let delivery = try Delivery(encoded: JSONSerialization.data(withJSONObject: earlier))

        #expect(delivery.serverFavourite == read)
        #expect(delivery.title == full.title)
    }

    @Test func `The searchable texts of a delivery are unique`() {
        #expect(full.indexedFields.text == ["Deliver toys", "Elm Street", "Oak", "Ann", "Ring"])
        #expect(full.indexedFields.location == full.location)
        #expect(Delivery(id: 1).indexedFields.sortValues.isEmpty)
    }

    @Test func `A local favourite overrides that of the server`() {
        let changed = stored(full, [Delivery.localFavouriteName: LocalFavourite(false).data])

        #expect(stored(full).withLocalChanges == full)
        #expect(changed.localFavourite == LocalFavourite(false))
        #expect(!changed.withLocalChanges.isFavourite)
        #expect(stored(full, [Delivery.localFavouriteName: Data("?".utf8)]).withLocalChanges == full)
        for isWaiting in [false, true] {
            let mark = LocalFavourite(true, isPending: isWaiting)
            #expect(LocalFavourite(data: mark.data) == mark)
        }
        #expect(LocalFavourite(data: Data("true later".utf8)) == nil)
    }

    @Test func `Every sort is a query with a known sort key`() throws {
        let here = try #require(GeographicPoint(latitude: 1, longitude: 2))

        for sort in DeliverySort.allCases {
            let query = RecordQuery(search: "toys", sort: sort, near: here)
            #expect(query.normalized(for: Delivery.sortKeys) == query)
            #expect(query.order != .serverOrder)
        }
        #expect(RecordQuery(sort: .nearest).order == .serverOrder)
        #expect(RecordQuery(sort: nil) == RecordQuery())
    }
}
