import HTTPTypes

/// The plan for a request, as decided by `CachePolicy`. Numbers are indices into the list of stored responses.
enum CachePlan: Hashable {
    /// Serve a stored response.
    ///
    /// - Parameter refresh: The background request that refreshes a stale response; nil for a fresh one, or one that the request accepts stale.
    case serve(Int, ServedContent, refresh: OriginRequest?)
    /// Forward a request to the origin.
    case forward(OriginRequest)
    /// Respond with 504: only a stored response is accepted, and there is none (RFC 9111 §5.2.1.7).
    case gatewayTimeout
}

/// The content of a stored response to serve.
enum ServedContent: Hashable {
    case full
    /// The given bytes of the complete representation.
    case partial(Range<Int>)
    /// No body: the client has the representation.
    case notModified
    /// No body: the requested range begins after the end.
    case rangeNotSatisfiable
}

/// A request to the origin, with the stored responses that its response may refer to.
struct OriginRequest: Hashable {
    /// The reason why no stored response was served (RFC 9211 §2.2).
    enum Reason: String {
        case bypass, method, stale, partial, request
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
    }

    var reason: Reason
    /// The header fields of the request, with the conditions of the cache.
    var headers: HTTPFields
    /// Whether the response may be stored.
    var allowsStorage: Bool
    /// The stored response that matches the request.
    var selected: Int?
    /// The stored responses that the conditions validate.
    var validated: [Int] = []
    /// The stored beginning of a representation of which the rest is requested.
    var resumed: Int?
}

/// The effect of a later response on a stored one.
enum StoredResponseUpdate: Hashable {
    /// The stored response does not change.
    case unchanged
    /// The stored response is replaced by this one.
    case replace(StoredResponse)
    case remove
}

/// The action on a response, as decided by `CachePolicy`.
enum ResponseAction: Hashable {
    /// Forward the response without storing it.
    case passThrough
    /// Forward the response and store it.
    case store(StoredResponse)
    /// Serve a stored response that this one validates, with its fields updated.
    case freshen(Int, StoredResponse, ServedContent, StoredResponseUpdate)
    /// Append the response to a stored beginning; forward and store both together.
    case combine(Int, StoredResponse)
    /// Serve a stored response, because the origin fails.
    case serveStale(Int, ServedContent)
    /// Send the request again without the conditions of the cache, to which this response refers instead of the request.
    case retryWithoutConditions
}
