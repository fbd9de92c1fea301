/// The amounts that a reader has processed.
package struct OrderFileProgress: Hashable, Sendable {
    /// The number of bytes of the file.
    package let byteCount: Int
    package let orderCount: Int
    package let faultyCount: Int

    package init(byteCount: Int, orderCount: Int, faultyCount: Int) {
        self.byteCount = byteCount
        self.orderCount = orderCount
        self.faultyCount = faultyCount
    }

    package var rowCount: Int { orderCount + faultyCount }
}
