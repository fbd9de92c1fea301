import Foundation

/// What the list tells about an order or an item: its id and where its document is.
public struct OrderReference: Identifiable, Hashable, Sendable {
    public var id: Int
    /// The address of the document as the list gives it, which need not be a URL that may be opened.
    public var address: String

    public init(id: Int, address: String) {
        self.id = id
        self.address = address
    }
}

extension OrderReference {
    /// The absolute URL of the document.
    ///
    /// - Throws: `OrderDocumentError.noAddress` when the address is no absolute URL.
    func url() throws(OrderDocumentError) -> URL {
        guard let url = URL(string: address), url.scheme != nil else { throw .noAddress(address) }
        return url
    }
}
