public import Foundation
public import HTTPTypes

/// What is asked of a backend, and how its reply becomes a value. It knows no executor.
///
/// ```swift
/// let request = BackendRequest(url: ordersURL) { reply in try OrderList(propertyList: reply.body) }
/// let list = try await client.value(of: request)
/// ```
public struct BackendRequest<Value: Sendable>: Sendable {
    public var message: RequestMessage
    public var limits: ResponseLimits
    /// Makes a value of a reply whose status says success (200–299).
    public var decode: @Sendable (BackendResponse) throws -> Value

    public init(
        _ message: RequestMessage, limits: ResponseLimits = ResponseLimits(),
        decode: @escaping @Sendable (BackendResponse) throws -> Value
    ) {
        self.message = message
        self.limits = limits
        self.decode = decode
    }

    /// A GET of a URL.
    ///
    /// - Parameter provenance: Whose word the URL is; one that was read in a document is `.named(by:)` that document.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits(),
        decode: @escaping @Sendable (BackendResponse) throws -> Value
    ) {
        self.init(RequestMessage(url: url, headers: headers, trust: trust), limits: limits, decode: decode)
    }
}

extension BackendRequest<BackendResponse> {
    /// A GET of a URL whose reply is wanted as it is.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits()
    ) {
        self.init(url: url, headers: headers, trust: trust, limits: limits) { $0 }
    }
}

/// The message that goes over the wire: method, URL, header fields and body; and how far it may go.
public struct RequestMessage: Sendable {
    public var method: HTTPRequest.Method
    /// An absolute URL.
    public var url: URL { didSet { requestTarget = nil } }
    public var headers: HTTPFields
    public var body: RequestBody
    /// Whose word the URL is.
    public var trust: URLTrust
    /// Which addresses the executor may connect to; `BackendClient` narrows it by the provenance, anew at every redirect.
    public var addressPolicy: AddressPolicy
    /// Whether its body, or that of the reply, holds secrets, so that the exchange must not be written down.
    public var isConfidential = false
    /// Called with each interim response (RFC 9110 §15.2) but 100 and 101, before the response itself, and in the middle of the executor's work.
    ///
    /// Only executors that see interim responses call it: `AsyncHTTPClientExecutor` does over HTTP/1.1. A cache that answers by itself has none.
    public var onInterimResponse: (@Sendable (ResponseHead) -> Void)?
    /// The path and query exactly as they are sent over HTTP/1.1 (RFC 9112 §3.2.1); nil for those of the URL.
    ///
    /// Foundation encodes characters of a URL that it may not contain, and a proxy passes on what came. `AsyncHTTPClientExecutor` sends the target.
    package var requestTarget: String?

    public init(
        method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:], body: RequestBody = [],
        trust: URLTrust = .configured, addressPolicy: AddressPolicy = .any
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.trust = trust
        self.addressPolicy = addressPolicy
    }
}

/// How much of a reply is taken before the exchange is given up.
public struct ResponseLimits: Hashable, Sendable {
    /// The longest body, in bytes, after content codings are undone.
    public var bodySize: Int
    /// How many redirects are followed.
    public var redirects: Int
    /// How long an exchange may take, to the last byte received: with all that interceptors do before and after it, and all redirects.
    ///
    /// A body that has begun is looked at when bytes arrive; how long none may arrive is a limit of the executor's own.
    public var time: Duration

    public init(bodySize: Int = 8 << 20, redirects: Int = 5, time: Duration = .seconds(30)) {
        self.bodySize = bodySize
        self.redirects = redirects
        self.time = time
    }
}
