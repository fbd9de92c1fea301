import Foundation
import LadingOutbox
import Testing
@testable import Deliveries
@testable import Window

/// Notices about reverted favourites.
@Suite struct NoticeTests {
    private let rejection = FavouriteRejection(id: "7", isFavourite: true, key: .unique(), reason: .expired)
    private let now = Date(timeIntervalSince1970: 1_000)

    @Test func `The first notice of a session has a higher number than those of earlier sessions`() {
        let earlier = Notice(rejection, "", after: nil, at: now)

        let first = Notice(rejection, "", after: nil, at: now.addingTimeInterval(0.5))

        #expect(earlier.number == 1_000_000)
        #expect(first.number == 1_000_500)
    }

    @Test func `Notice numbers increase although the clock stands still or is set back`() {
        let first = Notice(rejection, "", after: nil, at: now)

        let second = Notice(rejection, "", after: first, at: now)
        let third = Notice(rejection, "", after: second, at: now.addingTimeInterval(-60))

        #expect(second.number == 1_000_001)
        #expect(third.number == 1_000_002)
    }
}
