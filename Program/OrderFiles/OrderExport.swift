package import OrderStorage

/// The orders of a query as a file, in parts.
package struct OrderExport: Sendable {
    private let store: any OrderStore
    private let writer: OrderFileWriter
    /// The query of the next page; nil at the end.
    private var query: BoardQuery?
    private var isStarted = false
    /// The number of orders so far.
    package private(set) var count = 0

    /// Creates an export.
    ///
    /// - Parameter query: The orders, whose limit is not used.
    package init(_ query: BoardQuery, of store: any OrderStore, format: OrderFileFormat) {
        var query = query
        query.limit = BoardQuery.limitOfPage
        (self.query, self.store) = (query, store)
        writer = OrderFileWriter(options: .init(format: format, hasByteOrderMark: true))
    }

    /// Returns the next part of the file; nil at its end.
    package mutating func next() async throws -> [UInt8]? {
        guard let query else { return nil }
        let page = try await store.orders(query)
        var bytes = isStarted ? [] : writer.header
        for order in page.orders {
            bytes += writer.row(ExportedOrder(id: order.id, externalID: order.externalID, state: order.state, content: order.content))
        }
        isStarted = true
        count += page.orders.count
        self.query?.after = page.next
        if page.next == nil { self.query = nil }
        return bytes
    }
}
