public import Foundation
public import LadingFeeds
public import LadingHTTP
public import LadingOperations

/// A feed of JSON documents: a list of references at one URL, and a document per row, or the rows in the list itself.
///
/// ```swift
/// let books = JSONFeed(list: listURL, row: \BookReference.url, decoding: Book.self, client: client)
/// let authors = JSONFeed(list: authorsURL, decoding: Author.self, client: client)
/// ```
///
/// The list is a JSON array. Requests for one URL and one type are shared while they last, with the decoder of the first. A URL of a row may be
/// relative to the URL of the list, and may lead to a private address only on the host of the list (`URLTrust.discovered(in:)`).
public struct JSONFeed<Reference: Decodable & Identifiable & Sendable, Row: Decodable & Sendable>: Feed where Reference.ID: Sendable {
    private let listOperation: @Sendable () -> BackendOperation<[Reference]>
    private let rowOperation: @Sendable (Reference) -> BackendOperation<Row>

    private init(_ source: JSONSource, row: @escaping @Sendable (Reference) -> BackendOperation<Row>) {
        listOperation = { source.operation(url: source.list, trust: .configured) }
        rowOperation = row
    }

    public func list() -> BackendOperation<[Reference]> { listOperation() }

    public func load(_ reference: Reference) -> BackendOperation<Row> { rowOperation(reference) }
}

extension JSONFeed {
    /// Creates a feed whose rows are documents of their own.
    ///
    /// - Parameters:
    ///   - list: The URL of the list. Relative URLs of rows are resolved against it, also if it redirects.
    ///   - row: Returns the URL of a row.
    ///   - decoder: The decoder of the list and the rows.
    ///   - partition: The owner of the requests; responses and flights are not shared across partitions.
    ///   - limits: The limits of each request.
    public init(
        list: URL, row: @escaping @Sendable (Reference) -> URL, decoding type: Row.Type = Row.self, client: BackendClient,
        decoder: JSONDecoder = JSONDecoder(), partition: String = "", limits: ResponseLimits = ResponseLimits()
    ) {
        let source = JSONSource(list: list, client: client, decoder: decoder, partition: partition, limits: limits)
        self.init(source) { source.row($0.id, at: source.resolved(row($0))) }
    }

    /// Creates a feed whose rows are documents of their own, at URLs that are texts in the list.
    ///
    /// - Parameters:
    ///   - list: The URL of the list. Relative URLs of rows are resolved against it, also if it redirects.
    ///   - row: Returns the URL of a row; a row with an invalid one fails with `BackendError.decodingFailed`.
    ///   - decoder: The decoder of the list and the rows.
    ///   - partition: The owner of the requests; responses and flights are not shared across partitions.
    ///   - limits: The limits of each request.
    public init(
        list: URL, row: @escaping @Sendable (Reference) -> String, decoding type: Row.Type = Row.self, client: BackendClient,
        decoder: JSONDecoder = JSONDecoder(), partition: String = "", limits: ResponseLimits = ResponseLimits()
    ) {
        let source = JSONSource(list: list, client: client, decoder: decoder, partition: partition, limits: limits)
        self.init(source) { source.row($0.id, at: URL(string: row($0)).flatMap(source.resolved)) }
    }
}

extension JSONFeed where Reference == Row {
    /// Creates a feed whose rows are the elements of the list, without further requests.
    ///
    /// - Parameters:
    ///   - list: The URL of the list.
    ///   - decoder: The decoder of the list.
    ///   - partition: The owner of the requests; responses and flights are not shared across partitions.
    ///   - limits: The limits of the request.
    public init(
        list: URL, decoding type: Row.Type = Row.self, client: BackendClient, decoder: JSONDecoder = JSONDecoder(), partition: String = "",
        limits: ResponseLimits = ResponseLimits()
    ) {
        self.init(JSONSource(list: list, client: client, decoder: decoder, partition: partition, limits: limits)) { row in
            BackendOperation("\(Row.self) \(row.id)", result: .success(row))
        }
    }
}

/// The requests of a feed of JSON documents.
private struct JSONSource: Sendable {
    /// The error of a row whose URL is invalid.
    struct InvalidURL: Error, CustomStringConvertible {
        let row: String

        var description: String { "the URL of \(row) is invalid" }
    }

    let list: URL
    let client: BackendClient
    let decoder: JSONDecoder
    let partition: String
    let limits: ResponseLimits

    func operation<Value: Decodable & Sendable>(url: URL, trust: URLTrust) -> BackendOperation<Value> {
        let request = BackendRequest<Value>(RequestMessage(url: url, trust: trust), limits: limits, decoding: .json(decoder: decoder))
        return client.operation(request, partition: partition)
    }

    func row<Row: Decodable & Sendable>(_ id: some Sendable, at url: URL?) -> BackendOperation<Row> {
        let name = "\(Row.self) \(id)"
        guard let url else {
            return BackendOperation(name, result: .failure(BackendError.decodingFailed(list, cause: InvalidURL(row: name))))
        }
        return operation(url: url, trust: .discovered(in: list))
    }

    /// Returns the absolute URL of a row; nil if it cannot be resolved.
    func resolved(_ url: URL) -> URL? {
        url.scheme == nil ? URL(string: url.relativeString, relativeTo: list)?.absoluteURL : url.absoluteURL
    }
}
