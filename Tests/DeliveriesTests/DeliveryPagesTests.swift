import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingRecords
import LadingTesting
import Testing
@testable import Deliveries

/// Pages as operations: requests, sharing of flights, and errors.
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

    @Test func `A page is requested by offset and limit`() async throws {
        executor.script(first, .response(text: body(0..<20)))
        executor.script(second, .response(text: body(20..<25)))
        let pages = try pages()

        #expect(try await pages.page(at: pages.paging.first).rows.map(\.id) == (0..<20).map { DeliveryID($0) })
        #expect(try await pages.page(at: .offset(20)).rows.count == 5)
        #expect(executor.requestedURLs == [first, second])
    }

    @Test func `Rows that could not be decoded are counted from the first page on`() async throws {
        executor.script(first, .response(text: "[null,null]"), .response(text: body(0..<1)))
        executor.script(second, .response(text: "[null]"))
        let pages = try pages()

        _ = try await pages.page(at: .offset(0))
        _ = try await pages.page(at: .offset(20))
        #expect(pages.skippedCount == 3)

        _ = try await pages.page(at: .offset(0))
        #expect(pages.skippedCount == 0)
    }

    @Test func `A failed page is retried by the policy of the client`() async throws {
        executor.script(
            first, .response(status: .internalServerError), .response(status: .serviceUnavailable), .response(text: body(0..<1)))

        #expect(try await pages().page(at: .offset(0)).rows.count == 1)
        #expect(executor.requests.count == 3)
    }

    @Test func `A response without content is an empty page`() async throws {
        executor.script(first, .response(status: .noContent))

        #expect(try await pages().page(at: .offset(0)).rows.isEmpty)
    }

    @Test func `A page that is not a list is reported with its URL`() async throws {
        executor.script(first, .response(text: "<html>"))

        await #expect {
            try await pages().page(at: .offset(0))
        } throws: { error in
            guard case BackendError.decodingFailed(let url, let cause) = error else { return false }
            return url.absoluteString == first && cause as? DeliveryDocumentError == .webPage
        }
    }

    @Test func `Requests for the same page share a flight, and a refresh joins no earlier one`() async throws {
        let (tasks, gate) = (ManualTaskExecutor(), Gate())
        let queue = BackendQueue(executor: tasks)
        executor.script(first, .response(text: body(0..<20)))
        executor.script(second, .response(text: body(20..<40)), behind: gate)
        let (one, other) = (try pages(on: queue), try pages(on: queue))
        func begin(_ pages: DeliveryPages, _ key: PageKey) -> Task<Int, any Error> {
            defer { tasks.runAll() }
            return Task(executorPreference: tasks) { try await pages.page(at: key).rows.count }
        }

        let (mine, theirs) = (begin(one, .offset(20)), begin(other, .offset(20)))
        #expect(gate.waiterCount == 1)
        let refresh = begin(other, .offset(0))
        let fresh = begin(other, .offset(20))
        #expect(gate.waiterCount == 2)
        gate.open()
        tasks.runAll()

        for task in [mine, theirs, refresh, fresh] { #expect(try await task.value == 20) }
        #expect(executor.requestedURLs == [second, first, second])
    }

    @Test func `Cancelling the task cancels the request`() async throws {
        let gate = Gate()
        executor.script(first, .response(text: body(0..<20)), behind: gate)
        let pages = try pages()

        let task = Task { try await pages.page(at: .offset(0)) }
        await gate.waitForWaiters(count: 1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
