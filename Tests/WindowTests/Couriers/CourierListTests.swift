import Foundation
import LadingRecords
import Orders
import Testing

@testable import Window

@Suite("Lists of couriers")
struct CourierListTests {
    private func order(
        _ id: Int, state: String = "open", title: String = "Order", version: String = "0.1", quantity: String = "2"
    ) throws -> APIOrder {
        let json = """
            {"id":\(id),"state":"\(state)","fence":0,"version":"\(version)","title":"\(title)","note":"","price":"1.50","currency":"USD","deliveryTime":"","due":null,
            "destination":{"address":"A","latitude":1,"longitude":2,"radius":3,"radiusUnit":"km"},
            "items":[{"id":7,"quantity":"\(quantity)","unit":"pc."}],"hasPin":false,"holder":null,"leaseEnd":null,"deadline":null,"attempts":0}
            """
        return try JSONDecoder().decode(APIOrder.self, from: Data(json.utf8))
    }

    private func page(_ ids: Int..., next: String? = nil) throws -> APIOrderPage {
        APIOrderPage(position: "e:1", next: next, orders: try ids.map { try order($0) })
    }

    private func change(_ order: Int, _ kind: APIChange.Kind) -> APIChange {
        APIChange(order: order, kind: kind)
    }

    @Test func `An order of two pages is listed once`() throws {
        var list = CourierList()
        list.replace(with: try page(1, 2, next: "c"))
        list.append(try page(2, 3))

        #expect(list.orders.map(\.id) == [1, 2, 3])
        #expect(list.next == nil && list.revision == 1)
    }

    @Test func `An order that somebody else took says so in its row, once`() throws {
        var list = CourierList()
        list.replace(with: try page(1, 2))

        #expect(list.apply(change(2, .left), .open) == .row(OrderID(2)))
        #expect(list.apply(change(2, .left), .open) == .none)
        #expect(list.left == [2] && list.orders.count == 2)
    }

    @Test func `New orders are counted until they are listed or have left`() throws {
        var list = CourierList()
        list.replace(with: try page(1))

        #expect(list.apply(change(8, .open), .open) == .screen)
        #expect(list.apply(change(8, .open), .open) == .none)
        #expect(list.apply(change(9, .open), .open) == .screen)
        #expect(list.apply(change(9, .left), .open) == .screen)
        #expect(list.new == [8])
        list.append(try page(8))
        #expect(list.new == [])
        #expect(list.apply(change(10, .open), .mine) == .none)
    }

    @Test func `An order that is open again, or the courier's own, is read again`() throws {
        var list = CourierList()
        list.replace(with: try page(1))
        _ = list.apply(change(1, .left), .open)

        #expect(list.apply(change(1, .open), .open) == .reload(1))
        #expect(list.update(try order(1, title: "Again")))
        #expect(list.left == [] && list.orders.first?.title == "Again")
        #expect(list.apply(change(5, .event), .mine) == .reload(5))
        #expect(try !list.update(order(5)))
    }

    @Test func `An older version of an order that arrives later is not shown`() throws {
        var list = CourierList()
        list.replace(with: try page(1))

        #expect(list.update(try order(1, title: "Newer", version: "1.10")))
        #expect(list.update(try order(1, title: "Older", version: "1.9")))
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
