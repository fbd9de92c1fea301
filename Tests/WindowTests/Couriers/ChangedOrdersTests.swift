import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import OrderLifecycle
import Testing

@testable import Window

@Suite("Changed orders of couriers' lists", .timeLimit(.minutes(10))) struct ChangedOrdersTests {
    @Test func `An order is read once in a round, as its last change has left it`() {
        var changed = ChangedOrders()
        for (id, isOpen) in [(8, true), (7, false), (9, true), (8, false), (7, true)] { changed.insert(.init(id: id, isOpen: isOpen)) }

        let orders = [(7, true), (8, false), (9, true)].map { ChangedOrders.Order(id: $0.0, isOpen: $0.1) }
        #expect(changed.nextRound() == .orders(orders))
        #expect(changed.nextRound() == nil)

        changed.insert(.init(id: 8, isOpen: true))
        #expect(changed.nextRound() == .orders([ChangedOrders.Order(id: 8, isOpen: true)]))
    }

    @Test(arguments: [(ChangedOrders.limit, false), (ChangedOrders.limit + 1, true), (2 * ChangedOrders.limit, true)])
    func `The list is read instead of many orders`(count: Int, isList: Bool) {
        var changed = ChangedOrders()
        for id in 0..<count { changed.insert(.init(id: id, isOpen: true)) }

        let round = changed.nextRound()

        #expect((round == .list) == isList)
        #expect(changed.nextRound() == nil)
    }

    @Test func `The list replaces the reads of open orders only`() {
        var changed = ChangedOrders()
        let round = [(5, true), (6, false), (7, false), (8, true), (9, false)].map { ChangedOrders.Order(id: $0.0, isOpen: $0.1) }
        changed.insert(.init(id: 9, isOpen: true))
        changed.insert(.init(id: 10, isOpen: false))

        _ = changed.recordFailure(unread: round.dropFirst(2))
        changed.removeOpen()

        // Order 6 could not be read, and the list contains 8 and 9, which was open after a later change.
        #expect(changed.waitingOwn == [7, 10])
        #expect(changed.nextRound() == .orders([7, 10].map { ChangedOrders.Order(id: $0, isOpen: false) }))
    }

    @Test func `The delay of the list grows with failures in a row`() {
        var changed = ChangedOrders()

        let delays = (0..<4).map { _ in changed.recordFailure() }
        changed.recordSuccess()

        #expect(delays == [.milliseconds(500), .seconds(2), .seconds(10), .seconds(10)])
        #expect(changed.recordFailure() == .milliseconds(500))
    }
}

// MARK: - Shared reads

/// The reads of an open order that several couriers share, whose API is scripted.
@Suite("Shared reads of changed orders", .timeLimit(.minutes(10))) struct SharedOrderReadTests {
    private static let order = "http://a.org/api/v1/orders/7"

    private let backend = ScriptedExecutor()

    /// Reads an order for several people, who request it in this order while another read of it runs.
    private func readOrder(for tokens: String...) throws -> [Task<APIOrder?, any Error>] {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        let (reads, gate) = (JoinedReads<Int, APIOrder?>(), Gate())
        _ = reads.read(for: 7) {
            try await gate.wait()
            return nil
        }
        defer { gate.open() }
        return tokens.map { token in
            let (service, executor) = (OrderService(api: api, token: token), FirstJobExecutor())
            let task = Task(executorPreference: executor) {
                try await service.order(ChangedOrders.Order(id: 7, isOpen: true), sharing: reads)
            }
            executor.runFirst()
            return task
        }
    }

    private var tokens: [String?] { backend.requests.map { $0.headers[.authorization] } }

    @Test func `All couriers share the read of an open order`() async throws {
        backend.script(Self.order, .response(text: CourierWire.order(7)))

        for task in try readOrder(for: "a", "b", "c") { #expect(try await task.value?.id == 7) }

        #expect(tokens == ["Bearer a"])
    }

    @Test func `An order that was taken meanwhile is shown to the courier only`() async throws {
        backend.script(Self.order, .response(text: CourierWire.order(7, state: "claimed", holder: "a")))

        let tasks = try readOrder(for: "a", "b")

        #expect(try await tasks[0].value?.state == .claimed)
        #expect(try await tasks[1].value == nil)
    }

    @Test func `An order that cannot be read with the token of somebody else is read with the own one`() async throws {
        backend.script(Self.order, .response(status: .unauthorized), .response(text: CourierWire.order(7)))

        let tasks = try readOrder(for: "a", "b")

        await #expect(throws: BackendError.self) { _ = try await tasks[0].value }
        #expect(try await tasks[1].value?.id == 7)
        #expect(tokens == ["Bearer a", "Bearer b"])
    }

    @Test func `A failed read is not repeated by each courier who shares it`() async throws {
        backend.script(Self.order, .response(status: .serviceUnavailable))

        for task in try readOrder(for: "a", "b") {
            await #expect(throws: BackendError.self) { _ = try await task.value }
        }

        #expect(tokens == ["Bearer a"])
    }
}
