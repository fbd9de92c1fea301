public import Foundation
public import HTTPTypes

/// A request to a backend with the decoder of its response. It is independent of executors.
///
/// ```swift
/// let request = BackendRequest(url: ordersURL) { response in try OrderList(propertyList: response.body) }
/// let list = try await client.value(of: request)
/// ```
public struct BackendRequest<Value: Sendable>: Sendable {
    public var message: RequestMessage
    public var limits: ResponseLimits
    /// The decoder of responses with a status of success (200–299). Its errors become the cause of `BackendError.decodingFailed`.
    public var decode: @Sendable (BackendResponse) throws -> Value

    public init(
        _ message: RequestMessage, limits: ResponseLimits = ResponseLimits(),
        decode: @escaping @Sendable (BackendResponse) throws -> Value
    ) {
        self.message = message
        self.limits = limits
        self.decode = decode
    }

    /// Creates a GET request for a URL.
    ///
    /// - Parameter trust: The source of the URL; `.discovered(in:)` for a URL that was read in a document.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits(),
        decode: @escaping @Sendable (BackendResponse) throws -> Value
    ) {
        self.init(RequestMessage(url: url, headers: headers, trust: trust), limits: limits, decode: decode)
    }
}

extension BackendRequest<BackendResponse> {
    /// Creates a GET request whose value is the response itself.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits()
    ) {
        self.init(url: url, headers: headers, trust: trust, limits: limits) { $0 }
    }
}

/// A message to send: method, URL, header fields and body, with its trust and address policy.
public struct RequestMessage: Sendable {
    public var method: HTTPRequest.Method
    /// The absolute URL.
    public var url: URL { didSet { requestTarget = nil } }
    public var headers: HTTPFields
    public var body: RequestBody
    /// The source of the URL, which decides the host to trust.
    public var trust: URLTrust
    /// The addresses that the executor may connect to; `BackendClient` narrows the policy by `trust`, again at every redirect.
    public var addressPolicy: AddressPolicy
    /// Whether the body of the message or of the response holds secrets, so that the exchange must not be stored or recorded.
    public var containsSecrets = false
    /// Whether no page for signing in may respond to a write.
    ///
    /// With a method other than GET and HEAD, a 302 is followed with method and body only if it leads to the same path and query, as from http
    /// to https, and not from https to http; otherwise it is the response. The same holds for a 301 of a POST, which leads to a GET without
    /// this. Other redirects are followed as always: 303 leads to a GET.
    package var preservesMethod = false
    /// A callback for each interim response (RFC 9110 §15.2) but 100 and 101; it runs within the executor, before the response.
    ///
    /// Only executors that see interim responses call it: `AsyncHTTPClientExecutor` over HTTP/1.1. A response from a cache has none.
    public var onInterimResponse: (@Sendable (ResponseHead) -> Void)?
    /// The exact path and query to send over HTTP/1.1 (RFC 9112 §3.2.1); nil for those of the URL.
    ///
    /// Foundation percent-encodes characters that a URL may not contain, but a proxy forwards a target unchanged. `AsyncHTTPClientExecutor` sends it.
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

/// The limits of size, redirects and time beyond which an exchange fails.
public struct ResponseLimits: Hashable, Sendable {
    /// The maximum length of a body in bytes, after content codings are decoded; for errors of values and operations, `ErrorResponse.bodyLimit`.
    public var bodySize: Int
    /// The maximum number of redirects.
    public var redirects: Int
    /// The maximum duration of an exchange until its last byte, interceptors and redirects included; at the end of it the exchange fails.
    ///
    /// It limits the wait for each response head, and is checked before each request and at each chunk of the body. It extends no limit of the
    /// executor: a server that is silent for longer than the `readTimeout` of the executor, 10 s by default, ends the exchange earlier.
    ///
    /// Nothing else is interrupted when it expires: interceptors, the fetch of a token and the store of a cache limit their own duration, and the
    /// wait of a cache for an equal request, up to 6 s, is added. A `deadline` of an operation interrupts all of these.
    public var time: Duration

    public init(bodySize: Int = 8 << 20, redirects: Int = 5, time: Duration = .seconds(30)) {
        self.bodySize = bodySize
        self.redirects = redirects
        self.time = time
    }
}
