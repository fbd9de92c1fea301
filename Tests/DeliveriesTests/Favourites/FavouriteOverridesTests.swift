import Foundation
import Testing

@testable import Deliveries

/// Overlays of a row as a table.
@Suite struct FavouriteOverridesTests {
    private func confirmed(_ isFavourite: Bool, _ generation: Int, key: String = "a", at action: Double = 0) -> ConfirmedFavourite {
        ConfirmedFavourite(
            isFavourite: isFavourite, key: key, actionDate: Date(timeIntervalSinceReferenceDate: action), generation: generation)
    }

    private func overlaid(
        pending: Bool? = nil, sent: ConfirmedFavourite? = nil, stored: ConfirmedFavourite? = nil, row: (Bool?, Int)?, newest: Int = 9
    ) -> Bool? {
        let pending = pending.map { LocalFavourite($0) }
        return FavouriteOverrides(pending: pending, sent: sent, stored: stored, row: row.map { ($0.0, $0.1) }, newest: newest)
            .localFavourite?
            .isFavourite
    }

    @Test func `A pending favourite overrides the row`() {
        #expect(overlaid(pending: true, row: (false, 3)) == true)
        #expect(overlaid(pending: false, stored: confirmed(true, 3), row: (true, 9)) == false)
        #expect(overlaid(pending: true, row: nil) == true)
    }

    @Test func `A confirmed favourite is shown until a later refresh contains it`() {
        let cases: [(row: (Bool, Int)?, shown: Bool?)] = [
            ((false, 2), true), ((false, 3), true), ((true, 3), true), ((false, 4), true), ((true, 4), nil), ((false, 5), nil),
            ((true, 5), nil), (nil, true),
        ]
        for (row, shown) in cases { #expect(overlaid(stored: confirmed(true, 3), row: row) == shown, "\(String(describing: row))") }
    }

    @Test func `A confirmed favourite is shown while documents do not mention favourites`() {
        for isFavourite in [true, false] {
            for generation in 2...9 { #expect(overlaid(stored: confirmed(isFavourite, 3), row: (nil, generation)) == isFavourite) }
        }
    }

    @Test func `A favourite stated by a document survives documents that do not mention favourites`() {
        let overlay = FavouriteOverrides(pending: nil, sent: nil, stored: confirmed(true, 3), row: (false, 5), newest: 5)

        #expect(overlay.localFavourite == nil)
        #expect(overlaid(stored: overlay.confirmed, row: (nil, 6)) == false)
        #expect(overlaid(stored: overlay.confirmed, row: (true, 7)) == nil)
        #expect(overlaid(sent: confirmed(true, 3), stored: overlay.confirmed, row: (nil, 6)) == false)
    }

    @Test func `The latest confirmation is applied once`() {
        let (first, second) = (confirmed(true, 3), confirmed(false, 7, key: "b", at: 1))

        #expect(overlaid(sent: second, stored: first, row: (true, 7)) == false)
        #expect(overlaid(sent: confirmed(true, 9), stored: first, row: (true, 4)) == nil)
        #expect(overlaid(sent: first, stored: second, row: (true, 7)) == false)
    }

    @Test func `Without a pending or confirmed favourite the row is shown`() {
        #expect(overlaid(row: (true, 1)) == nil)
        #expect(overlaid(row: nil) == nil)
    }

    @Test func `After a refusal the previous confirmation is shown`() {
        #expect(overlaid(pending: false, stored: confirmed(true, 3), row: (false, 3)) == false)
        #expect(overlaid(stored: confirmed(true, 3), row: (false, 3)) == true)
    }

    @Test func `The generation is lowered to that of an emptied store`() {
        let overlay = FavouriteOverrides(pending: nil, sent: nil, stored: confirmed(true, 8), row: nil, newest: 0)

        #expect(overlay.confirmed?.generation == 0)
        #expect(overlaid(stored: overlay.confirmed, row: (true, 1), newest: 1) == nil)
    }
}
