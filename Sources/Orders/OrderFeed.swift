public import Foundation
public import LadingFeeds
public import LadingHTTP
public import LadingOperations

/// The orders of a region: the list, then for each order its download, its parsing and the joining of its items.
///
/// Each step is an operation of its own: downloads take turns on the lane of their host, parsing and joining on the lane of the processor.
public struct OrderFeed: Feed {
    private let ordersURL: URL
    private let catalog: ItemCatalog
    private let client: BackendClient

    /// - Parameter ordersURL: Where `orders.plist` is.
    public init(ordersURL: URL, catalog: ItemCatalog, client: BackendClient) {
        self.ordersURL = ordersURL
        self.catalog = catalog
        self.client = client
    }

    public func list() -> BackendOperation<[OrderReference]> {
        client.referenceList(ordersURL)
    }

    /// The order as its document tells it, with those items that the catalogue knows already.
    public func load(_ reference: OrderReference) -> BackendOperation<Order> {
        client.document(reference) { id, body in try Order(id: id, document: body) }
    }

    /// The order with all its items; an item that cannot be found is left out of its line, not the line out of the order.
    public func details(_ reference: OrderReference) -> BackendOperation<Order> {
        BackendOperation(
            "join order \(reference.id)", lane: .cpu, after: load(reference),
            then: { [catalog] order in
                BackendOperation(
                    "items of order \(reference.id)", lane: .cpu, afterEndOf: order.items.map { catalog.item($0.id) }
                ) { results in
                    var order = order
                    for (index, result) in results.enumerated() { order.items[index].item = try? result.get() }
                    return order
                }
            })
    }
}

extension BackendClient {
    /// Downloads and reads a list of references.
    func referenceList(_ url: URL) -> BackendOperation<[OrderReference]> {
        let request = BackendRequest(url: url, bounds: ReplyBounds(bodySize: 256 << 20))
        return BackendOperation(
            "list \(url.lastPathComponent)", key: OperationKey(verb: "list", subject: url.absoluteString), lane: .cpu,
            after: operation(request)
        ) { reply in
            try reply.decoding(OrderReference.list(propertyList:))
        }
    }

    /// Downloads and reads the document of a reference.
    func document<Value: Sendable>(
        _ reference: OrderReference, read: @escaping @Sendable (Int, [UInt8]) throws -> Value
    ) -> BackendOperation<Value> {
        let url: URL
        do { url = try reference.url() } catch { return BackendOperation("parse", ended: .failure(error)) }
        let request = BackendRequest(url: url, bounds: ReplyBounds(bodySize: 1_000_000))
        return BackendOperation(
            "parse \(url.lastPathComponent)",
            key: OperationKey(verb: "parse \(reference.id)", subject: url.absoluteString), lane: .cpu,
            after: operation(request)
        ) { reply in
            try reply.decoding { try read(reference.id, $0) }
        }
    }
}

extension BackendReply {
    /// The value that its body is read as; what is wrong with the body is told with the URL it came from.
    fileprivate func decoding<Value>(_ read: ([UInt8]) throws -> Value) throws -> Value {
        do { return try read(body) } catch { throw BackendError.undecodable(url, cause: error) }
    }
}
