public import Foundation
public import HTTPTypes

/// The base URL of a backend and the settings shared by all requests to it.
///
/// ```swift
/// let backend = try BackendEnvironment(baseURL: "https://api.example.org/v2", headers: [.accept: "application/json"])
/// let page = backend.request(.get, "deliveries", query: ["offset": 20, "limit": 20], decoding: [Delivery].self)
/// ```
public struct BackendEnvironment: Sendable {
    /// The reason why a base URL was rejected.
    public enum Failure: Error, Hashable, LocalizedError, CustomStringConvertible {
        /// The text is not the URL of a server; with the violated rule, if any.
        case invalidBaseURL(String, URLPolicy.Violation?)
        /// The base URL has a query or a fragment, so that no path can be appended.
        case baseURLWithQuery(String)

        public var errorDescription: String? { description }

        public var description: String {
            switch self {
            case .invalidBaseURL(let text, let violation?): "“\(text.redactingSecrets)” is not a valid base URL: \(violation)"
            case .invalidBaseURL(let text, nil): "“\(text.redactingSecrets)” is not a URL: write it as https://host/path"
            case .baseURLWithQuery(let text): "“\(text.redactingSecrets)” is not a valid base URL: remove its query and fragment"
            }
        }
    }

    /// The URL that paths are appended to, without a trailing slash.
    public let baseURL: URL
    /// The header fields of every request that does not set them itself.
    public var headers: HTTPFields
    /// The limits of every response whose request specifies no others.
    public var limits: ResponseLimits

    /// Creates an environment with a base URL.
    ///
    /// - Throws: `Failure`.
    public init(baseURL: URL, headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits()) throws {
        let text = baseURL.absoluteString
        if let violation = URLPolicy().violation(for: baseURL) { throw Failure.invalidBaseURL(text, violation) }
        guard baseURL.query() == nil, baseURL.fragment() == nil else { throw Failure.baseURLWithQuery(text) }
        self.baseURL = URL(string: String(text.reversed().drop { $0 == "/" }.reversed())) ?? baseURL
        self.headers = headers
        self.limits = limits
    }

    /// Creates an environment from the text of a base URL.
    ///
    /// - Throws: `Failure`.
    public init(baseURL text: String, headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits()) throws {
        guard let url = URL(string: text) else { throw Failure.invalidBaseURL(text, nil) }
        try self.init(baseURL: url, headers: headers, limits: limits)
    }
}

// MARK: - Requests

extension BackendEnvironment {
    /// Returns the URL of a path and a query.
    public func url(_ path: URLPath, query: URLQuery = [:]) -> URL {
        let query = query.items.isEmpty ? "" : "?" + query.text
        guard let url = URL(string: baseURL.absoluteString + (path.text.isEmpty ? "" : "/" + path.text) + query) else {
            preconditionFailure("a URL with an appended encoded path and query is invalid")
        }
        return url
    }

    /// Returns a message to the backend.
    ///
    /// - Parameter headers: Fields added to those of the environment; they replace fields of the same name.
    public func message(
        _ method: HTTPRequest.Method, _ path: URLPath, query: URLQuery = [:], headers: HTTPFields = [:],
        content: RequestContent? = nil
    ) -> RequestMessage {
        var all = self.headers
        for name in Set(headers.map(\.name)) { all[fields: name] = headers[fields: name] }
        let url = url(path, query: query)
        guard let content else { return RequestMessage(method: method, url: url, headers: all) }
        return RequestMessage(method: method, url: url, headers: all, content: content)
    }

    /// Returns a request to the backend.
    public func request<Value>(
        _ method: HTTPRequest.Method, _ path: URLPath, query: URLQuery = [:], headers: HTTPFields = [:],
        content: RequestContent? = nil, limits: ResponseLimits? = nil, decoding decoder: ResponseDecoder<Value>
    ) -> BackendRequest<Value> {
        BackendRequest(
            message(method, path, query: query, headers: headers, content: content), limits: limits ?? self.limits, decoding: decoder)
    }
    /// Returns a request to the backend whose response is decoded as JSON.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ path: URLPath, query: URLQuery = [:], headers: HTTPFields = [:],
        content: RequestContent? = nil, limits: ResponseLimits? = nil, decoding type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) -> BackendRequest<Value> {
        request(
            method, path, query: query, headers: headers, content: content, limits: limits, decoding: .json(type, decoder: decoder))
    }
}
