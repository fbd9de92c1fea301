import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

@testable import Deliveries

/// Pages as operations: what is asked, who shares it, and how it fails.
@Suite struct DeliveryPagesTests {
    private let executor = ScriptedExecutor()

    private func pages(on queue: BackendQueue = BackendQueue()) throws -> DeliveryPages {
        let client = BackendClient(executor: executor, retries: RetryControl(policy: RetryPolicy(attempts: 3, base: .zero)))
        return DeliveryPages(DeliveryList(url: try #require(URL(string: "http://a.org/deliveries"))), client: client, queue: queue)
    }

    private func body(_ ids: Range<Int>) -> String {
        "[" + ids.map { #"{"id":\#($0),"description":"d\#($0)"}"# }.joined(separator: ",") + "]"
    }

    private let first = "http://a.org/deliveries?offset=0&limit=20"
    private let second = "http://a.org/deliveries?offset=20&limit=20"

    @Test func `A page is asked for by offset and limit, twenty rows at a time`() async throws {
        executor.script(first, .reply(text: body(0..<20)))
        executor.script(second, .reply(text: body(20..<25)))
        let pages = try pages()

        #expect(try await pages.page(at: pages.paging.first).rows.map(\.id) == (0..<20).map { DeliveryID($0) })
        #expect(try await pages.page(at: .offset(20)).rows.count == 5)
        #expect(executor.requestedURLs == [first, second])
    }

    @Test func `A page that failed is asked for again as the client has it`() async throws {
        executor.script(first, .reply(status: .internalServerError), .reply(status: .serviceUnavailable), .reply(text: body(0..<1)))

        #expect(try await pages().page(at: .offset(0)).rows.count == 1)
        #expect(executor.requests.count == 3)
    }

    @Test func `What is no list is told with the address it came from`() async throws {
        executor.script(first, .reply(text: "<html>"))

        await #expect {
            try await pages().page(at: .offset(0))
        } throws: { error in
            guard case BackendError.undecodable(let url, let cause) = error else { return false }
            return url.absoluteString == first && cause as? DeliveryDocumentError == .webPage
        }
    }

    @Test func `Screens that want the same page share a flight, and a refresh joins none that began before it`() async throws {
        let (tasks, gate) = (ManualTaskExecutor(), Gate())
        let queue = BackendQueue(executor: tasks)
        executor.script(first, .reply(text: body(0..<20)))
        executor.script(second, .reply(text: body(20..<40)), behind: gate)
        let (one, other) = (try pages(on: queue), try pages(on: queue))
        func begin(_ pages: DeliveryPages, _ key: PageKey) -> Task<Int, any Error> {
            defer { tasks.runAll() }
            return Task(executorPreference: tasks) { try await pages.page(at: key).rows.count }
        }

        let (mine, theirs) = (begin(one, .offset(20)), begin(other, .offset(20)))
        #expect(gate.waitingCount == 1)
        let refresh = begin(other, .offset(0))
        let fresh = begin(other, .offset(20))
        #expect(gate.waitingCount == 2)
        gate.open()
        tasks.runAll()

        for task in [mine, theirs, refresh, fresh] { #expect(try await task.value == 20) }
        #expect(executor.requestedURLs == [second, first, second])
    }

    @Test func `Whoever does not wait any longer cancels the page, down to the socket`() async throws {
        let gate = Gate()
        executor.script(first, .reply(text: body(0..<20)), behind: gate)
        let pages = try pages()

        let task = Task { try await pages.page(at: .offset(0)) }
        await gate.waiting(for: 1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
