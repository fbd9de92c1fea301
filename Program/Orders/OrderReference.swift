public import Foundation

/// A list entry for an order or an item: its id and the address of its document.
///
/// An invalid entry is a reference with an error.
public struct OrderReference: Identifiable, Hashable, Sendable {
    private enum Entry: Hashable {
        case address(String)
        /// Boxed, so that references stay small in lists of a million.
        indirect case invalid(OrderDocumentError)
    }

    /// The maximum length of an address, in bytes.
    static let addressLimit = 8_192

    public var id: OrderID
    private var entry: Entry

    /// Creates a reference from an entry of the list.
    ///
    /// - Parameter address: The address of the document as given in the list, which may be an invalid URL.
    public init(id: OrderID, address: String) {
        self.id = id
        entry = .address(address)
    }

    init(id: OrderID, error: OrderDocumentError) {
        self.id = id
        entry = .invalid(error)
    }

    /// The address as given in the list, or the error of the entry.
    var content: Result<String, OrderDocumentError> {
        switch entry {
        case .address(let address): .success(address)
        case .invalid(let error): .failure(error)
        }
    }

    /// Returns the absolute URL of the document, http or https.
    ///
    /// - Throws: The error of the entry.
    public func url() throws(OrderDocumentError) -> URL {
        switch entry {
        case .invalid(let error): throw error
        case .address(let address): return try URL(documentAddress: address)
        }
    }
}

extension URL {
    /// - Parameter address: An absolute address from a document of the order service.
    init(documentAddress address: String) throws(OrderDocumentError) {
        guard !address.isEmpty else { throw .invalidAddress("") }
        guard address.utf8.count <= OrderReference.addressLimit else { throw .addressTooLong(limit: OrderReference.addressLimit) }
        guard let scheme = address.scheme else { throw .relativeAddress(address) }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard let url = URL(string: address) else { throw .invalidAddress(address) }
        self = url
    }
}

extension String {
    /// Returns a relative address resolved against a URL (RFC 3986 §5); other addresses are returned unchanged.
    func resolved(against url: URL?) -> String {
        guard let url, !isEmpty, utf8.count <= OrderReference.addressLimit, scheme == nil else { return self }
        return URL(string: self, relativeTo: url)?.absoluteString ?? self
    }

    /// The text before the first colon in lower case, if it is a valid scheme (RFC 3986 §3.1).
    fileprivate var scheme: String? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isASCIILetter else { return nil }
        let isScheme = utf8[..<colon].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2B, 0x2D, 0x2E].contains($0) }
        return isScheme ? self[..<colon].lowercased() : nil
    }
}
