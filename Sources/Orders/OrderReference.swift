public import Foundation

/// What the list tells about an order or an item: its id and where its document is.
///
/// An entry of the list that makes no sense is a reference too: a row that says what is wrong with it.
public struct OrderReference: Identifiable, Hashable, Sendable {
    private enum Entry: Hashable {
        case address(String)
        /// Boxed, so that a million references stay small.
        indirect case invalid(OrderDocumentError)
    }

    /// The longest address that is asked for, in bytes.
    static let addressLimit = 8_192

    public var id: OrderID
    private var entry: Entry

    /// - Parameter address: Where the document is, as the list gives it, which need not be a URL that may be opened.
    public init(id: OrderID, address: String) {
        self.id = id
        entry = .address(address)
    }

    init(id: OrderID, error: OrderDocumentError) {
        self.id = id
        entry = .invalid(error)
    }

    /// The address as the list gives it, or what is wrong with the entry.
    var content: Result<String, OrderDocumentError> {
        switch entry {
        case .address(let address): .success(address)
        case .invalid(let error): .failure(error)
        }
    }

    /// The absolute URL of the document, of scheme http or https.
    ///
    /// - Throws: What is wrong with the entry.
    public func url() throws(OrderDocumentError) -> URL {
        switch entry {
        case .invalid(let error): throw error
        case .address(let address): return try URL(documentAddress: address)
        }
    }
}

extension URL {
    /// - Parameter address: An absolute address, as a document of the order service gives it.
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
    /// The absolute address of a relative one (RFC 3986 §5); any other address, and one that cannot be resolved, as it is.
    func resolved(against url: URL?) -> String {
        guard let url, !isEmpty, utf8.count <= OrderReference.addressLimit, scheme == nil else { return self }
        return URL(string: self, relativeTo: url)?.absoluteString ?? self
    }

    /// The part before the first colon, when it can be a scheme (RFC 3986 §3.1), in lower case.
    fileprivate var scheme: String? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isASCIILetter else { return nil }
        let isScheme = utf8[..<colon].allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2B, 0x2D, 0x2E].contains($0) }
        return isScheme ? self[..<colon].lowercased() : nil
    }
}
