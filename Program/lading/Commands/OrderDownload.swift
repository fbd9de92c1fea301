import Foundation
import LadingHTTP
import LadingOperations
import Orders

/// A download of orders for the terminal, with a progress bar if standard error is a terminal.
struct OrderDownload: Sendable {
    /// The maximum number of concurrent orders: enough to occupy every lane, with bounded memory.
    private static let concurrencyLimit = 128

    private let feed: OrderFeed
    private let catalog: ItemCatalog
    private let queue: BackendQueue
    private let hint: String

    init(_ options: FeedOptions, _ engine: Engine) {
        let lists = options.lists()
        catalog = ItemCatalog(itemsURL: lists.items, client: engine.client)
        feed = OrderFeed(ordersURL: lists.orders, catalog: catalog, client: engine.client)
        queue = engine.queue
        hint = options.hint
    }

    /// Returns all orders in the order of the list, including failed ones.
    func all() async throws -> [OrderLine] {
        var bar = ProgressBar("Orders")
        defer { bar.clear() }
        let references = try await list()
        return try await bar.concurrentMap(
            references, limit: Self.concurrencyLimit, hasFailed: { (line: OrderLine) in line.error != nil },
            work: { reference in try await line(of: reference) })
    }

    func order(_ id: OrderID) async throws -> OrderLine {
        guard let reference = try await list().first(where: { $0.id == id }) else {
            throw ProgramFailure(message: "no order \(id): list the orders with \"lading orders\"")
        }
        return try await line(of: reference)
    }

    /// Checks that an order lacks no items except those missing from the catalog.
    ///
    /// - Throws: `ProgramFailure` with the first reason why an item could not be loaded, or `CancellationError`.
    func requireItems(of order: Order) async throws {
        var reasons: [String] = []
        for id in order.items.filter({ $0.item == nil }).compactMap(\.id) {
            if let reason = try await failure(ofItem: id) { reasons.append(reason) }
        }
        guard let reason = reasons.first else { return }
        throw ProgramFailure(
            message: "\(reasons.count) of \(order.items.count) items of order \(order.id) could not be loaded: \(reason)")
    }

    /// Returns the reason why orders lack items that the catalog may contain; nil when none does.
    func missingItemsReason(in lines: [OrderLine]) async throws -> String? {
        var (checkedIDs, reasons, orders) = (Set<Int>(), [Int: String](), 0)
        for case .loaded(let order) in lines {
            let missing = order.items.filter { $0.item == nil }.compactMap(\.id)
            for id in missing where checkedIDs.insert(id).inserted { reasons[id] = try await failure(ofItem: id) }
            if missing.contains(where: { reasons[$0] != nil }) { orders += 1 }
        }
        guard let reason = reasons.min(by: { $0.key < $1.key })?.value else { return nil }
        return "items of \(orders) of \(lines.count) orders could not be loaded: \(reason)"
    }

    /// Returns the reason why an item could not be loaded; nil when the catalog does not contain it. Results are cached by the catalog.
    private func failure(ofItem id: Int) async throws -> String? {
        do {
            _ = try await queue.value(of: catalog.item(id), priority: .visible)
            return nil
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let cause = OperationError.rootCause(of: error)
            if case OrderDocumentError.unknownItem = cause { return nil }
            return "\(cause)"
        }
    }

    private func list() async throws -> [OrderReference] {
        do {
            return try await queue.value(of: feed.list(), priority: .visible)
        } catch {
            throw ProgramFailure(error, hint: hint)
        }
    }

    private func line(of reference: OrderReference) async throws -> OrderLine {
        do {
            return .loaded(try await queue.value(of: feed.details(reference), priority: .visible))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .failed(reference.id, SecretRedaction.standard.redacted("\(OperationError.rootCause(of: error))"))
        }
    }
}
