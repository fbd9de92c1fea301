import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore
import OrderLifecycle
import OrderStorage

/// The routes of the order service: two lists, an XML document for each order and grocery, and the images of groceries.
struct OrderRoutes: Sendable {
    private let orders: any OrderStore
    /// Whether everybody may read orders other than the demo's, which contain the addresses of customers.
    private let isPublic: Bool
    private let images: GroceryImages
    private let lastModified: HTTPDate
    /// Nil unless the orders are those of the demo.
    private let schedule: DemoSchedule?
    private let lists = ListCache()

    init(orders: any OrderStore, isPublic: Bool, images: GroceryImages, lastModified: HTTPDate, schedule: DemoSchedule? = nil) {
        self.schedule = schedule
        self.orders = orders
        self.isPublic = isPublic
        self.images = images
        self.lastModified = lastModified
    }

    func add(to router: some RouterMethods<OriginContext>) {
        router.get("\(OrderPath.folder)/:fileName") { request, context in
            try await document(for: request, named: context.parameters.require("fileName"))
        }
    }

    private func document(for request: Request, named fileName: String) async throws -> Representation {
        switch OrderPath(fileName: fileName) {
        case .orderList: try await orderList(at: .address(of: request))
        case .itemList: try itemList(at: .address(of: request))
        case .order(let id): try await order(id)
        case .item(let id): try item(id, at: .address(of: request))
        case .image(let id): try image(id)
        case nil: throw HTTPError(.notFound)
        }
    }
}

// MARK: - Documents

extension OrderRoutes {
    /// Returns the list of the open orders. Once they have changed it has no date, which could not tell two changes in one second apart.
    private func orderList(at address: PublicAddress) async throws -> Representation {
        let position = try await orders.position()
        // The end of a feed that is held back does not say whether the orders have changed.
        let isCurrent = try await !orders.changes(after: position, limit: 1).isHeldBack
        if isCurrent, let list = lists.list(for: address, at: position) { return list }
        let ids = try await orders.openOrderIDs(demoOnly: !isPublic)
        let text = OrderDocuments.list(of: ids) { address.url(of: .order($0)) }
        let list = Representation(ByteBuffer(string: text), of: .list, lastModified: position.number == 0 ? lastModified : nil)
        // A change between both reads makes the list newer than its position; the next request replaces it.
        if isCurrent { lists.store(list, for: address, at: position) }
        return list
    }

    private func itemList(at address: PublicAddress) throws -> Representation {
        let ids = Grocery.catalog.map(\.id)
        return representation(OrderDocuments.list(of: ids) { address.url(of: .item($0)) }, of: .list)
    }

    /// Returns an open order; the others are visible to their courier and to dispatchers only.
    private func order(_ id: Int) async throws -> Representation {
        guard let record = try await orders.order(id), record.state == .open, isPublic || record.isDemo else {
            throw HTTPError(.notFound)
        }
        var order = Order(id: id, record.content)
        guard record.version.eventCount == 1 else {
            return Representation(ByteBuffer(string: OrderDocuments.order(order)), of: .details, lastModified: nil)
        }
        guard let due = schedule?.nextDate(of: order.deliveryDate) else {
            return representation(OrderDocuments.order(order), of: .details)
        }
        order.deliveryDate = due.text
        return Representation(
            ByteBuffer(string: OrderDocuments.order(order)), of: .details, lastModified: max(lastModified, HTTPDate(due.since)))
    }

    private func item(_ id: Int, at address: PublicAddress) throws -> Representation {
        guard let grocery = Grocery.catalog.first(where: { $0.id == id }) else { throw HTTPError(.notFound) }
        let imageURL = address.url(of: .image(id))
        return representation(OrderDocuments.item(name: grocery.name, imageURL: imageURL), of: .details)
    }

    private func image(_ id: Int) throws -> Representation {
        guard let image = images[id] else { throw HTTPError(.notFound) }
        return Representation(image, of: .svg, lastModified: lastModified)
    }

    private func representation(_ text: String, of format: DocumentFormat) -> Representation {
        Representation(ByteBuffer(string: text), of: format, lastModified: lastModified)
    }
}
