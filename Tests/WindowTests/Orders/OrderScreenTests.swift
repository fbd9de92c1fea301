import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Orders
import Testing

@testable import Window

/// Retries of an order page when its server responds again, on a manual task executor.
@Suite struct OrderScreenTests {
    private static let imageURL = URL(string: "http://a.org/1.svg")!
    private static let unreachable = ScriptedExecutor.Response.failure(
        BackendError.unreachable(imageURL, cause: CocoaError(.fileNoSuchFile)))

    private let executor = ManualTaskExecutor()
    private let backend = ScriptedExecutor()
    private let repository: OrderRepository
    private let renderer: PageRenderer

    init() throws {
        repository = OrderRepository(backend: backend, executor: executor)
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
        backend.script("http://a.org/items.plist", .response(text: Wire.list([1, 2].map { ("\($0)", "http://a.org/item-\($0).xml") })))
        backend.script("http://a.org/item-1.xml", .response(text: Wire.item("Broccoli", imageURL: Self.imageURL.absoluteString)))
        backend.script("http://a.org/item-2.xml", Self.unreachable)
        backend.script(Self.imageURL.absoluteString, Self.unreachable)
    }

    /// Returns a page whose order has loaded and whose image has failed.
    private func screen(items: [Int]) -> OrderScreen {
        backend.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup", items: items)))
        let contexts = OrderContexts(
            texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: { .distantPast })
        let screen = OrderScreen(OrderReference(id: OrderID(1), address: "http://a.org/1.xml"), repository, contexts, renderer)
        executor.runAll()
        repository.queue.submit(repository.images.load(Self.imageURL), priority: .visible)
        executor.runAll()
        return screen
    }

    private var retryCount: Int { repository.images.failedImages.retryCount(of: Self.imageURL) }

    @Test func `A failed image is retried together with a missing item`() {
        let screen = screen(items: [1, 2])
        #expect(screen.content.row.row?.items.map { $0.item?.name } == ["Broccoli", nil])

        screen.retryFailures { $0.isFailure(of: "b.org") }
        #expect(retryCount == 0)
        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(retryCount == 1)
        screen.stop()
    }

    @Test func `A failed image is retried although its order could not be reloaded`() {
        let screen = screen(items: [1])
        backend.script("http://a.org/1.xml", .response(status: .notFound))
        screen.refresh()
        executor.runAll()
        guard case .stale = screen.content.row else {
            Issue.record("the order is not stale")
            return
        }

        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(retryCount == 1)
        guard case .loaded = screen.content.row else {
            Issue.record("the page is not shown with the new address")
            return
        }
        screen.stop()
    }
}
