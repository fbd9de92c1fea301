public import Foundation
import HTTPTypes
public import LadingFeeds
public import LadingHTTP
public import LadingOperations

/// The orders of a region: the list, then for each order its download, its parsing and the joining of its items.
///
/// Each step is an operation of its own: downloads take turns on the lane of their host, parsing and joining on the lane of the processor.
public struct OrderFeed: Feed {
    public typealias Query = OrderQuery

    private let ordersURL: URL
    private let catalog: ItemCatalog
    private let client: BackendClient
    private let timeZone: TimeZone
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - ordersURL: Where `orders.plist` is.
    ///   - timeZone: The zone that delivery dates are in.
    ///   - now: Tells the time, which decides the year of a delivery date where the server does not tell the time itself.
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

    /// The order as its document tells it, with those items that the catalogue knows already.
    public func load(_ reference: OrderReference) -> BackendOperation<Order> {
        client.document(reference, in: ordersURL) { [timeZone, now] response in
            let dates = DeliveryDateReader(timeZone: timeZone, reference: response.date ?? now())
            return try Order(id: reference.id, document: response.body, charset: response.charset, dates: dates)
        }
    }

    /// The order with all its items; an item that cannot be found is left out of its line, not the line out of the order.
    public func details(_ reference: OrderReference) -> BackendOperation<Order> {
        BackendOperation("join order \(reference.id)", lane: .cpu, after: load(reference), then: items)
    }

    /// Gives an order its items: those that are known at once, the others when they are loaded.
    private func items(of order: Order) -> BackendOperation<Order> {
        let order = catalog.joined(order)
        let missing = order.items.indices.filter { index in order.items[index].id.map { !catalog.isLoaded($0) } ?? false }
        guard !missing.isEmpty else { return BackendOperation("items of order \(order.id)", result: .success(order)) }
        let loads = missing.compactMap { order.items[$0].id }.map(catalog.item)
        return BackendOperation("items of order \(order.id)", lane: .cpu, afterCompletionOf: loads) { results in
            var order = order
            // An item that cannot be loaded is shown as it was stored.
            for (index, result) in zip(missing, results) { order.items[index].item = (try? result.get()) ?? order.items[index].item }
            return order
        }
    }
}

extension BackendClient {
    /// Downloads and reads a list of references.
    func referenceList(_ url: URL) -> BackendOperation<[OrderReference]> {
        let request = BackendRequest(url: url, limits: ResponseLimits(bodySize: 256 << 20))
        return BackendOperation(
            "list \(url.lastPathComponent)", key: OperationKey(verb: "list", subject: url.absoluteString), lane: .cpu,
            after: operation(request)
        ) { response in
            try response.decoding { try OrderReference.list(propertyList: $0, charset: response.charset, at: response.url) }
        }
    }

    /// Downloads and reads the document of a reference.
    ///
    /// - Parameter list: The list that the reference stands in; its host alone may lie at a private address.
    func document<Value: Sendable>(
        _ reference: OrderReference, in list: URL, read: @escaping @Sendable (BackendResponse) throws -> Value
    ) -> BackendOperation<Value> {
        let url: URL
        do { url = try reference.url() } catch { return BackendOperation("parse \(reference.id)", result: .failure(error)) }
        let request = BackendRequest(url: url, trust: .discovered(in: list), limits: ResponseLimits(bodySize: 1_000_000))
        return BackendOperation(
            "parse \(reference.id)",
            key: OperationKey(verb: "parse \(reference.id)", subject: url.absoluteString, variant: list.absoluteString), lane: .cpu,
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

    /// The value that its body is read as; what is wrong with the body is told with the URL it came from.
    fileprivate func decoding<Value>(_ read: ([UInt8]) throws -> Value) throws -> Value {
        do { return try read(body) } catch { throw BackendError.decodingFailed(url, cause: error) }
    }

    /// When the server sent it (RFC 9110 §6.6.1).
    fileprivate var date: Date? {
        headers[.date].flatMap { DeliveryDateReader(timeZone: .gmt, reference: .distantPast).time($0) }
    }
}
