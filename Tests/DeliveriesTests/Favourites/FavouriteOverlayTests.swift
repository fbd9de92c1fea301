import Foundation
import Testing

@testable import Deliveries

/// What lies over a row, as a table.
@Suite struct FavouriteOverlayTests {
    private func taken(_ isFavourite: Bool, _ generation: Int, key: String = "a", at action: Double = 0) -> TakenFavourite {
        TakenFavourite(
            isFavourite: isFavourite, key: key, action: Date(timeIntervalSinceReferenceDate: action), generation: generation)
    }

    private func mark(
        pending: Bool? = nil, sent: TakenFavourite? = nil, noted: TakenFavourite? = nil, row: (Bool?, Int)?, newest: Int = 9
    ) -> Bool? {
        let pending = pending.map { FavouriteMark($0) }
        return FavouriteOverlay(pending: pending, sent: sent, noted: noted, row: row.map { ($0.0, $0.1) }, newest: newest).mark?.isFavourite
    }

    @Test func `What is on its way is shown, whatever the row says`() {
        #expect(mark(pending: true, row: (false, 3)) == true)
        #expect(mark(pending: false, noted: taken(true, 3), row: (true, 9)) == false)
        #expect(mark(pending: true, row: nil) == true)
    }

    @Test func `What was taken is shown until a later refresh knows it`() {
        let cases: [(row: (Bool, Int)?, shown: Bool?)] = [
            ((false, 2), true), ((false, 3), true), ((true, 3), true), ((false, 4), true), ((true, 4), nil), ((false, 5), nil),
            ((true, 5), nil), (nil, true),
        ]
        for (row, shown) in cases { #expect(mark(noted: taken(true, 3), row: row) == shown, "\(String(describing: row))") }
    }

    @Test func `What was taken is shown as long as no document mentions favourites`() {
        for isFavourite in [true, false] {
            for generation in 2...9 { #expect(mark(noted: taken(isFavourite, 3), row: (nil, generation)) == isFavourite) }
        }
    }

    @Test func `What a later document states holds when the documents after it do not mention it`() {
        let overlay = FavouriteOverlay(pending: nil, sent: nil, noted: taken(true, 3), row: (false, 5), newest: 5)

        #expect(overlay.mark == nil)
        #expect(mark(noted: overlay.taken, row: (nil, 6)) == false)
        #expect(mark(noted: overlay.taken, row: (true, 7)) == nil)
        #expect(mark(sent: taken(true, 3), noted: overlay.taken, row: (nil, 6)) == false)
    }

    @Test func `What was taken later counts, once`() {
        let (first, second) = (taken(true, 3), taken(false, 7, key: "b", at: 1))

        #expect(mark(sent: second, noted: first, row: (true, 7)) == false)
        #expect(mark(sent: taken(true, 9), noted: first, row: (true, 4)) == nil)
        #expect(mark(sent: first, noted: second, row: (true, 7)) == false)
    }

    @Test func `When nothing is on its way and nothing was taken, the row speaks`() {
        #expect(mark(row: (true, 1)) == nil)
        #expect(mark(row: nil) == nil)
    }

    @Test func `After a refusal, what was taken before it is shown`() {
        #expect(mark(pending: false, noted: taken(true, 3), row: (false, 3)) == false)
        #expect(mark(noted: taken(true, 3), row: (false, 3)) == true)
    }

    @Test func `A store that was emptied counts anew`() {
        let overlay = FavouriteOverlay(pending: nil, sent: nil, noted: taken(true, 8), row: nil, newest: 0)

        #expect(overlay.taken?.generation == 0)
        #expect(mark(noted: overlay.taken, row: (true, 1), newest: 1) == nil)
    }
}
