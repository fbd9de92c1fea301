import Foundation
import LadingFeeds
import LadingTesting
import Testing

@testable import Deliveries

/// Deliveries as rows: what is kept, searched, sorted and shown of them.
@Suite struct DeliveryTests {
    private let full = Delivery(
        id: "a7", title: "Deliver toys", picture: URL(string: "http://p.org/1"), location: GeographicPoint(latitude: 1, longitude: 2),
        address: "Elm Street", isFavourite: true, route: DeliveryRoute(start: "Oak", end: "Elm Street"),
        sender: DeliverySender(name: "Ann", phone: "1", email: "a@b"), remarks: "Ring", pickup: Date(timeIntervalSince1970: 7),
        fee: Money("$9"), surcharge: Money("free"))

    private func stored(_ delivery: Delivery, _ changes: [String: Data] = [:]) -> StoredRecord<Delivery> {
        StoredRecord(delivery, place: 0, generation: 1, stored: Date(timeIntervalSince1970: 0), localChanges: changes)
    }

    @Test func `What is kept is read back whole`() throws {
        #expect(try Delivery(encoded: full.encoded()) == full)
        #expect(try Delivery(encoded: Delivery(id: 1).encoded()) == Delivery(id: 1))
    }

    @Test(arguments: [(true, true), (false, nil)] as [(Bool, Bool?)])
    func `A row of an earlier release says nothing of favourites where it may not have been told`(kept: Bool, read: Bool?) throws {
        var earlier = try #require(try JSONSerialization.jsonObject(with: full.encoded()) as? [String: Any])
        earlier["statedFavourite"] = nil
        earlier["isFavourite"] = kept

        let delivery = try Delivery(encoded: JSONSerialization.data(withJSONObject: earlier))

        #expect(delivery.statedFavourite == read)
        #expect(delivery.title == full.title)
    }

    @Test func `All that a person knows of a delivery is searched, each text once`() {
        #expect(full.facts.text == ["Deliver toys", "Elm Street", "Oak", "Ann", "Ring"])
        #expect(full.facts.location == full.location)
        #expect(Delivery(id: 1).facts.keys.isEmpty)
    }

    @Test func `A mark that was made here counts more than that of the server`() {
        let mark = stored(full, [Delivery.favouriteChange: FavouriteMark(false).data])

        #expect(stored(full).shown == full)
        #expect(mark.favouriteMark == FavouriteMark(false))
        #expect(!mark.shown.isFavourite)
        #expect(stored(full, [Delivery.favouriteChange: Data("?".utf8)]).shown == full)
        for isWaiting in [false, true] {
            let mark = FavouriteMark(true, isWaiting: isWaiting)
            #expect(FavouriteMark(data: mark.data) == mark)
        }
        #expect(FavouriteMark(data: Data("true later".utf8)) == nil)
    }

    @Test func `Each sort is a query that the rows have keys for`() throws {
        let here = try #require(GeographicPoint(latitude: 1, longitude: 2))

        for sort in DeliverySort.allCases {
            let query = RecordQuery(search: "toys", sort: sort, near: here)
            #expect(query.known(to: Delivery.sortKeys) == query)
            #expect(query.order != .listed)
        }
        #expect(RecordQuery(sort: .nearest).order == .listed)
        #expect(RecordQuery(sort: nil) == RecordQuery())
    }
}
