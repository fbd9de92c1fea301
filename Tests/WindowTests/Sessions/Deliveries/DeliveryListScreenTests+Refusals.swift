import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

@testable import Deliveries
@testable import Window

/// Favourite marks that the server refuses.
extension DeliveryListScreenTests {
    @Test func `A refused mark of a row out of view is reported once, when the row is next seen`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        screen.setVisible(true)

        try await refuse("20")
        await wait(screen) { $0.rows.reading[20]?.unseenRefusal != nil }
        #expect(try notices(screen).isEmpty)
        report(screen, seq: 2, 18...22)

        let notice = try #require(try notices(screen).first)
        #expect(notice["text"] as? String == "Couldn’t save “Delivery 20” as a favourite. The server doesn’t allow this.")
        #expect(notice["row"] as? String == "20")
        await wait(screen) { $0.rows.reading[20]?.unseenRefusal == nil }
        report(screen, seq: 3, 0...4)
        report(screen, seq: 4, 18...22)
        #expect(try notices(screen).map { $0["number"] as? Int } == [notice["number"] as? Int])
    }

    @Test func `Marks that are refused one after the other are each reported, oldest first`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        screen.setVisible(true)

        for id: DeliveryID in ["3", "1", "2"] {
            try await refuse(id)
            await wait(screen) { $0.notices.last?.row == "\(id)" }
        }

        let notices = try notices(screen)
        let numbers = notices.compactMap { $0["number"] as? Int }
        #expect(notices.map { $0["row"] as? String } == ["3", "1", "2"])
        #expect(numbers.count == 3 && numbers == Array(Set(numbers)).sorted())
    }

    @Test func `Of more undone marks than are sent with the list the last are`() {
        var state = DeliveryListScreen.State(visible: 0..<5, wish: ArrangementWish(), anchor: .top)

        for number in 1...DeliveryListScreen.State.noticeLimit + 2 {
            state.add(Notice(number: number, row: "1", favourite: false, text: ""))
        }

        #expect(state.notices.map(\.number) == Array(3...DeliveryListScreen.State.noticeLimit + 2))
    }

    @Test func `A page that nobody looks at reports a refused mark once somebody does`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }

        try await refuse("2")
        await wait(screen) { $0.rows.reading[2]?.unseenRefusal != nil }
        #expect(try notices(screen).isEmpty)
        #expect(try await store.record(of: "2")?.unseenRefusal != nil)

        screen.setVisible(true)
        #expect(try notices(screen).count == 1)
    }

    @Test func `A page says that marks may be lost when their file was damaged`() async throws {
        try await fill(3)
        let (lossless, lossy) = (try await screen(), try await screen(mayHaveLostMarks: true))
        defer { for screen in [lossless, lossy] { screen.stop() } }

        #expect(try notices(lossless).isEmpty)
        let notice = try #require(try notices(lossy).first)
        #expect((notice["text"] as? String)?.contains("others may be lost") == true)
        #expect(notice["row"] as? String == "")
    }

    @Test func `A page says that nothing is stored on a full disk`() async throws {
        try await fill(3)
        let screen = try await screen(mayHaveLostMarks: true, isDiskFull: true)
        defer { screen.stop() }

        let texts = try notices(screen).compactMap { $0["text"] as? String }

        #expect(texts.count == 2 && texts.last?.contains("disk") == true)
    }
}
