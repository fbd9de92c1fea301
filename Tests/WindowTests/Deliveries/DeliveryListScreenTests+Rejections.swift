import Foundation
import LadingTesting
import Testing
@testable import Deliveries
@testable import Window

/// Favourite marks that the server refuses.
extension DeliveryListScreenTests {
    @Test func `A refused favourite of an invisible row is reported once, when the row is next visible`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        screen.setVisible(true)

        try await storeRejection(of: "20")
        await wait(screen) { $0.rows.snapshot[20]?.unacknowledgedRejection != nil }
        #expect(try notices(screen).isEmpty)
        report(screen, seq: 2, 18...22)

        let notice = try #require(try notices(screen).first)
        #expect(notice["text"] as? String == "Couldn’t save “Delivery 20” as a favourite. The server doesn’t allow this.")
        #expect(notice["row"] as? String == "20")
        await wait(screen) { $0.rows.snapshot[20]?.unacknowledgedRejection == nil }
        report(screen, seq: 3, 0...4)
        report(screen, seq: 4, 18...22)
        #expect(try notices(screen).map { $0["number"] as? Int } == [notice["number"] as? Int])
    }

    @Test func `Consecutive refused favourites are each reported, oldest first`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        screen.setVisible(true)

        for id: DeliveryID in ["3", "1", "2"] {
            try await storeRejection(of: id)
            await wait(screen) { $0.notices.last?.row == "\(id)" }
        }

        let notices = try notices(screen)
        let numbers = notices.compactMap { $0["number"] as? Int }
        #expect(notices.map { $0["row"] as? String } == ["3", "1", "2"])
        #expect(numbers.count == 3 && numbers == Array(Set(numbers)).sorted())
    }

    @Test func `Only the last notices are sent with the list`() {
        var state = DeliveryListScreen.State(visible: 0..<5, query: RequestedQuery(), anchor: .top)

        for number in 1...DeliveryListScreen.State.noticeLimit + 2 {
            state.add(Notice(number: number, row: "1", favourite: false, text: ""))
        }

        #expect(state.notices.map(\.number) == Array(3...DeliveryListScreen.State.noticeLimit + 2))
    }

    @Test func `A hidden page reports a refused favourite when it becomes visible`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }

        try await storeRejection(of: "2")
        await wait(screen) { $0.rows.snapshot[2]?.unacknowledgedRejection != nil }
        #expect(try notices(screen).isEmpty)
        #expect(try await store.record(of: "2")?.unacknowledgedRejection != nil)

        screen.setVisible(true)
        #expect(try notices(screen).count == 1)
    }

    @Test func `A page reports that favourites may be lost after file damage`() async throws {
        try await fill(3)
        let (lossless, lossy) = (try await screen(), try await screen(mayHaveLostFavourites: true))
        defer { for screen in [lossless, lossy] { screen.stop() } }

        #expect(try notices(lossless).isEmpty)
        let notice = try #require(try notices(lossy).first)
        #expect((notice["text"] as? String)?.contains("others may be lost") == true)
        #expect(notice["row"] as? String == "")
    }

    @Test func `A page reports a full disk`() async throws {
        try await fill(3)
        let screen = try await screen(mayHaveLostFavourites: true, isDiskFull: true)
        defer { screen.stop() }

        let texts = try notices(screen).compactMap { $0["text"] as? String }

        #expect(texts.count == 2 && texts.last?.contains("disk") == true)
    }
}
