public import Foundation
import HTTPTypes
public import LadingFeeds
public import LadingHTTP
public import LadingOperations

/// A feed of the orders of a region: the list, then for each order its download, parsing and joining with its items.
///
/// Each step is a separate operation: downloads use the lane of their host, parsing and joining the CPU lane.
public struct OrderFeed: Feed {
    public typealias Query = OrderQuery

    private let ordersURL: URL
    private let catalog: ItemCatalog
    private let client: BackendClient
    private let timeZone: TimeZone
    private let now: @Sendable () -> Date

    /// Creates the feed of a list.
    ///
    /// - Parameters:
    ///   - ordersURL: The URL of `orders.plist`.
    ///   - timeZone: The time zone of delivery dates.
    ///   - now: Returns the current time, the reference for the year of a delivery date when a response has no `Date`.
    public init(
        ordersURL: URL, catalog: ItemCatalog, client: BackendClient, timeZone: TimeZone = .current,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.ordersURL = ordersURL
        self.catalog = catalog
        self.client = client
        self.timeZone = timeZone
        self.now = now
    }

    public func list() -> BackendOperation<[OrderReference]> {
        client.referenceList(ordersURL)
    }

    /// Returns an operation that loads an order without its items.
    public func load(_ reference: OrderReference) -> BackendOperation<Order> {
        client.document(reference, in: ordersURL) { [timeZone, now] response in
            let dates = DeliveryDateReader(timeZone: timeZone, reference: response.date ?? now())
            return try Order(id: reference.id, document: response.body, charset: response.charset, dates: dates)
        }
    }

    /// Returns an operation that loads an order and joins it with its items; an order line remains when its item cannot be loaded.
    public func details(_ reference: OrderReference) -> BackendOperation<Order> {
        BackendOperation("join order \(reference.id)", lane: .cpu, after: load(reference), then: items)
    }

    /// Returns an operation that joins an order with its items, loading those that are missing.
    private func items(of order: Order) -> BackendOperation<Order> {
        let order = catalog.joined(order)
        let missing = order.items.indices.filter { index in order.items[index].id.map { !catalog.isLoaded($0) } ?? false }
        guard !missing.isEmpty else { return BackendOperation("items of order \(order.id)", result: .success(order)) }
        let loads = missing.compactMap { order.items[$0].id }.map(catalog.item)
        return BackendOperation("items of order \(order.id)", lane: .cpu, afterCompletionOf: loads) { results in
            var order = order
            // An item that cannot be loaded falls back to the stored one.
            for (index, result) in zip(missing, results) { order.items[index].item = (try? result.get()) ?? order.items[index].item }
            return order
        }
    }
}

extension BackendClient {
    /// Returns an operation that downloads and parses a list of references.
    func referenceList(_ url: URL) -> BackendOperation<[OrderReference]> {
        let request = BackendRequest(url: url, limits: ResponseLimits(bodySize: 256 << 20))
        return BackendOperation(
            "list \(url.lastPathComponent)", key: .action("list", on: url.absoluteString), lane: .cpu,
            after: operation(request)
        ) { response in
            try response.decoding { try OrderReference.list(propertyList: $0, charset: response.charset, at: response.url) }
        }
    }

    /// Returns an operation that downloads and parses the document of a reference.
    ///
    /// - Parameter list: The URL of the list that contains the reference; only its host may be at a private address.
    func document<Value: Sendable>(
        _ reference: OrderReference, in list: URL, read: @escaping @Sendable (BackendResponse) throws -> Value
    ) -> BackendOperation<Value> {
        let url: URL
        do { url = try reference.url() } catch { return BackendOperation("parse \(reference.id)", result: .failure(error)) }
        let request = BackendRequest(url: url, trust: .discovered(in: list), limits: ResponseLimits(bodySize: 1_000_000))
        return BackendOperation(
            "parse \(reference.id)",
            key: .action("parse \(reference.id)", on: url.absoluteString, variant: list.absoluteString), lane: .cpu,
            after: operation(request)
        ) { response in
            try response.decoding { _ in try read(response) }
        }
    }
}

extension BackendResponse {
    /// The parameter `charset` of `Content-Type` (RFC 9110 §8.3.2).
    var charset: String? {
        let parameters = headers[.contentType]?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            return parts[1].trimmingCharacters(in: ["\"", "'"])
        }
        return nil
    }

    /// Returns the decoded body; wraps an error in `BackendError.decodingFailed` with the URL.
    fileprivate func decoding<Value>(_ read: ([UInt8]) throws -> Value) throws -> Value {
        do { return try read(body) } catch { throw BackendError.decodingFailed(url, cause: error) }
    }

    /// The time at which the server sent the response (RFC 9110 §6.6.1).
    fileprivate var date: Date? {
        headers[.date].flatMap { DeliveryDateReader(timeZone: .gmt, reference: .distantPast).time($0) }
    }
}
