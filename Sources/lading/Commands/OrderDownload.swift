import Foundation
import LadingHTTP
import LadingOperations
import Orders

/// Loads orders for the terminal, with progress where somebody looks.
struct OrderDownload: Sendable {
    /// How many orders are under way at once: enough to keep every lane busy, few enough that memory stays flat.
    private static let orderLimit = 128

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

    /// All orders by id, those that failed included.
    func all() async throws -> [OrderLine] {
        let references = try await list()
        var bar = ProgressBar("Orders", total: references.count)
        defer { bar.clear() }
        return try await withThrowingTaskGroup(of: (Int, OrderLine).self) { group in
            var lines = [OrderLine?](repeating: nil, count: references.count)
            for (index, reference) in references.enumerated() {
                if index >= Self.orderLimit, let (index, line) = try await group.next() {
                    lines[index] = line
                    bar.advance(failed: line.error != nil)
                }
                group.addTask { (index, try await line(of: reference)) }
            }
            for try await (index, line) in group {
                lines[index] = line
                bar.advance(failed: line.error != nil)
            }
            return lines.compactMap { $0 }
        }
    }

    func one(_ id: OrderID) async throws -> OrderLine {
        guard let reference = try await list().first(where: { $0.id == id }) else {
            throw ProgramFailure(message: "there is no order \(id); \"lading orders\" prints those there are")
        }
        return try await line(of: reference)
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
            return .failed(reference.id, "\(OperationError.rootCause(of: error))")
        }
    }
}
