import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Orders
import Testing

@testable import Window

/// Retries on the page of one order when its server works again, on a manual task executor.
@Suite struct OrderScreenTests {
    private static let picture = URL(string: "http://a.org/1.svg")!
    private static let noAnswer = ScriptedExecutor.Answer.failure(
        BackendError.unreachable(picture, cause: CocoaError(.fileNoSuchFile)))

    private let executor = ManualTaskExecutor()
    private let backend = ScriptedExecutor()
    private let board: OrderBoard
    private let renderer: PageRenderer

    init() throws {
        board = OrderBoard(scripted: backend, on: executor)
        renderer = try PageRenderer(templates: WindowServer.resourceFolder().appending(path: "Templates"), version: "1")
        backend.script("http://a.org/items.plist", .reply(text: Wire.list([1, 2].map { ("\($0)", "http://a.org/item-\($0).xml") })))
        backend.script("http://a.org/item-1.xml", .reply(text: Wire.item("Broccoli", picture: Self.picture.absoluteString)))
        backend.script("http://a.org/item-2.xml", Self.noAnswer)
        backend.script(Self.picture.absoluteString, Self.noAnswer)
    }

    /// A page whose order has been loaded, and whose picture could not be.
    private func screen(items: [Int]) -> OrderScreen {
        backend.script("http://a.org/1.xml", .reply(text: Wire.order(title: "Soup", items: items)))
        let contexts = OrderContexts(
            texts: Texts(.english), timeZone: .gmt, legend: .server(attribution: "", fingerprint: ""), now: { .distantPast })
        let screen = OrderScreen(OrderReference(id: OrderID(1), address: "http://a.org/1.xml"), board, contexts, renderer)
        executor.runAll()
        board.queue.submit(board.pictures.load(Self.picture), priority: .visible)
        executor.runAll()
        return screen
    }

    private var round: Int { board.pictures.missing.round(of: Self.picture) }

    @Test func `A picture is requested again beside an item that was missing, too`() {
        let screen = screen(items: [1, 2])
        #expect(screen.content.row.row?.items.map { $0.item?.name } == ["Broccoli", nil])

        screen.retryFailures { $0.isFailure(of: "b.org") }
        #expect(round == 0)
        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(round == 1)
        screen.stop()
    }

    @Test func `A picture is requested again although its order could not be reloaded for another reason`() {
        let screen = screen(items: [1])
        backend.script("http://a.org/1.xml", .reply(status: .notFound))
        screen.refresh()
        executor.runAll()
        guard case .stale = screen.content.row else {
            Issue.record("the order is not stale")
            return
        }

        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(round == 1)
        guard case .loaded = screen.content.row else {
            Issue.record("the page is not shown with the new address")
            return
        }
        screen.stop()
    }
}
