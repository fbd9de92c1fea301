import Foundation
import LadingRecords
import OrderLifecycle
import Orders
import Testing

@testable import Window

@Suite("Lists of couriers")
struct CourierListTests {
    private func order(
        _ id: Int, state: String = "open", title: String = "Order", version: String = "0.1", quantity: String = "2", holder: String? = nil
    ) throws -> APIOrder {
        let json = CourierWire.order(id, state: state, title: title, version: version, quantity: quantity, holder: holder)
        return try JSONDecoder().decode(APIOrder.self, from: Data(json.utf8))
    }

    private func page(_ ids: Int..., next: String? = nil) throws -> APIOrderPage { try page(ids, next: next) }

    private func page(_ ids: [Int], next: String?) throws -> APIOrderPage {
        try JSONDecoder().decode(APIOrderPage.self, from: Data(CourierWire.page(ids, next: next).utf8))
    }

    private func list(_ scope: OrderService.Scope = .open) -> CourierList { CourierList(scope, of: "mina") }

    private func change(_ order: Int, _ kind: APIChange.Kind) -> APIChange {
        APIChange(order: order, kind: kind)
    }

    @Test func `An order of two pages is listed once`() throws {
        var list = list()
        list.replace(with: try page(1, 2, next: "c"))
        list.append(try page(2, 3))

        #expect(list.orders.map(\.id) == [1, 2, 3])
        #expect(list.next == nil && list.revision == 1)
    }

    @Test func `An order that somebody else took says so in its row, once`() throws {
        var list = list()
        list.replace(with: try page(1, 2))

        #expect(list.apply(change(2, .left)) == .row(OrderID(2)))
        #expect(list.apply(change(2, .left)) == .none)
        #expect(list.left == [2] && list.orders.count == 2)
    }

    @Test func `New orders are counted until they are listed or have left`() throws {
        var list = list()
        list.replace(with: try page(1))

        #expect(list.apply(change(8, .open)) == .screen)
        #expect(list.apply(change(8, .open)) == .none)
        #expect(list.apply(change(9, .open)) == .screen)
        #expect(list.apply(change(9, .left)) == .screen)
        #expect(list.new == [8])
        list.append(try page(8))
        #expect(list.new == [])

        var own = self.list(.mine)
        #expect(own.apply(change(10, .open)) == .none)
    }

    @Test func `An order that is open again, or the courier's own, is read again`() throws {
        var list = list()
        list.replace(with: try page(1))
        _ = list.apply(change(1, .left))

        #expect(list.apply(change(1, .open)) == .reload(.init(id: 1, isOpen: true)))
        #expect(try list.update(order(1, title: "Again")) == .row(OrderID(1)))
        #expect(list.left == [] && list.orders.first?.title == "Again")
        #expect(list.apply(change(5, .event)) == .reload(.init(id: 5, isOpen: false)))
    }

    @Test func `An order that is taken while it is read is not shown as open`() throws {
        var list = list()
        list.replace(with: try page(1))
        _ = list.apply(change(1, .left))
        _ = list.apply(change(1, .open))

        #expect(list.apply(change(1, .left)) == .row(OrderID(1)))
        _ = try list.update(order(1, title: "Again", version: "2.3"))
        #expect(list.left == [1])

        // The courier has taken it.
        _ = list.apply(change(1, .event))
        #expect(list.left == [])
    }

    @Test func `An own order without a row is announced until it is final`() throws {
        var list = list(.mine)
        list.replace(with: try page(1))

        #expect(try list.update(order(5, state: "claimed", holder: "mina")) == .screen)
        #expect(try list.update(order(5, state: "pickedUp", holder: "mina")) == .none)
        #expect(try list.update(order(6, state: "claimed", holder: "jonas")) == .none)
        #expect(list.new == [5])
        #expect(try list.update(order(5, state: "delivered", holder: "mina")) == .screen)
        #expect(list.new == [])
    }

    @Test func `An own order that was given back is not announced any more`() throws {
        var list = list(.mine)
        list.replace(with: try page(1))
        _ = try list.update(order(5, state: "claimed", holder: "mina"))

        #expect(list.apply(change(5, .open)) == .screen)
        #expect(list.new == [])
        #expect(list.apply(change(5, .open)) == .none)
    }

    @Test func `An own order that was picked up may be on a later page, and is not announced`() throws {
        var list = list(.all)
        list.replace(with: try page(1, next: "c"))

        #expect(try list.update(order(5, state: "pickedUp", holder: "mina")) == .none)
        #expect(try list.update(order(6, state: "claimed", holder: "mina")) == .screen)
    }

    @Test func `A new order that the courier has taken is not announced as open any more`() throws {
        var list = list()
        list.replace(with: try page(1))
        _ = list.apply(change(5, .open))

        #expect(try list.update(order(5, state: "claimed", holder: "mina")) == .screen)
        #expect(list.new == [])
    }

    @Test(
        arguments: [
            // Complete lists.
            ([1, 2, 3], nil, [1, 3, 4], nil, [2], [4]), ([1, 2], nil, [], nil, [1, 2], []),
            // Both have further pages: what follows the last common order is unknown.
            ([1, 3, 5, 7], "c", [1, 2, 5, 6], "d", [3], [2]),
            // Only one of them has further pages.
            ([1, 3, 5], "c", [1, 2, 6], nil, [3, 5], []), ([1, 3, 5], nil, [1, 2, 6], "d", [], [2, 6]),
            ([1, 2], nil, [3, 4], "d", [], [3, 4]),
        ] as [([Int], String?, [Int], String?, Set<Int>, Set<Int>)])
    func `A list that is read again moves no row`(
        rows: [Int], next: String?, read: [Int], further: String?, left: Set<Int>, new: Set<Int>
    ) throws {
        var list = list()
        list.replace(with: try page(rows, next: next))

        list.update(with: try page(read, next: further))

        #expect(list.orders.map(\.id) == rows)
        #expect(list.left == left)
        #expect(list.new == new)
        #expect(list.revision == 1 && list.next == next)
    }

    @Test func `A list that is read again shows the present content of its rows`() throws {
        var list = list()
        list.replace(with: try page(1, 2, 3))
        _ = try list.update(order(1, title: "Old", version: "9.9"))
        _ = try list.update(order(3, state: "claimed", holder: "mina"))
        _ = list.apply(change(2, .left))

        list.update(with: try page(1, 2))

        // An order that the courier has taken stays in the list of open ones.
        #expect(list.orders.map(\.title) == ["Order", "Order", "Order"] && list.orders[2].state == .claimed)
        #expect(list.left == [])
    }

    @Test func `An order that is read next has not left the list`() throws {
        var list = list()
        list.replace(with: try page(1, 2, 3))

        list.update(with: try page(3), unread: [1])
        _ = try list.update(order(1, state: "claimed", version: "1.2", holder: "mina"))

        #expect(list.left == [2] && list.orders[0].state == .claimed)
    }

    @Test func `An older version of an order that arrives later is not shown`() throws {
        var list = list()
        list.replace(with: try page(1))

        #expect(try list.update(order(1, title: "Newer", version: "1.10")) == .row(OrderID(1)))
        #expect(try list.update(order(1, title: "Older", version: "1.9")) == .none)
        #expect(list.orders.first?.title == "Newer")
    }

    @Test func `An order of the API has the fields of the page`() throws {
        let order = try order(4).order(timeZone: .gmt, now: .now)

        #expect(order.id == OrderID(4) && order.price == 1.5)
        #expect(order.location.point?.longitude == 2)
        #expect(order.items.map(\.id) == [7] && order.items.first?.quantity == 2)
    }

    @Test(
        arguments: [
            ("2", "2"), ("0.50", "0.5"), ("", "?"), ("1,5", "1,5"), ("1/2", "1/2"), ("10-12", "10-12"), ("2x500", "2x500"), ("1e3", "1e3"),
            ("+2", "+2"), ("2 ", "2 "), ("1.2.3", "1.2.3"), (".", "."), ("٢", "٢"),
            ("1234567890123456789012345678901", "1234567890123456789012345678901"),
        ])
    func `A quantity that is no decimal number is displayed as it was entered`(text: String, displayed: String) throws {
        let contexts = OrderContexts(
            texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: { .distantPast })

        let items = contexts.loadedOrder(try order(4, quantity: text).order(timeZone: .gmt, now: .now)).items

        #expect(items.map(\.quantity) == [displayed])
    }
}
