import HTTPTypes

/// What is to be done about a request, as `CachePolicy` decides. Numbers are places in the list of what is kept.
enum CachePlan: Hashable {
    /// It is answered from what is kept.
    ///
    /// - Parameter refresh: What is asked behind it, because it is stale; nil when it is fresh, or stale by the request's leave.
    case serve(Int, ServedContent, refresh: OriginRequest?)
    /// The origin is asked.
    case forward(OriginRequest)
    /// Only what is kept would do, and nothing is (RFC 9111 §5.2.1.7).
    case gatewayTimeout
}

/// What of a kept reply is handed over.
enum ServedContent: Hashable {
    case full
    /// These bytes, counted from the beginning of the whole.
    case partial(Range<Int>)
    /// Nothing: who asks has it.
    case notModified
    /// Nothing: what is asked for lies behind its end.
    case rangeNotSatisfiable
}

/// What an origin is asked, and what its reply may be about.
struct OriginRequest: Hashable {
    /// Why what is kept did not do (RFC 9211 §2.2).
    enum Reason: String {
        case bypass, method, stale, partial, request
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
    }

    var reason: Reason
    /// The fields of the request, with conditions of the cache's own.
    var headers: HTTPFields
    /// Whether the reply may be kept.
    var isStorable: Bool
    /// What is kept for such a request.
    var selected: Int?
    /// What the conditions ask about.
    var validated: [Int] = []
    /// A kept beginning of which the rest is asked for.
    var resumed: Int?
}

/// What a later reply makes of a kept one.
enum StoredResponseUpdate: Hashable {
    /// It stays as it is.
    case unchanged
    /// It is as this from now on.
    case replace(StoredResponse)
    case remove
}

/// What becomes of a reply, as `CachePolicy` decides.
enum ResponseAction: Hashable {
    /// It is handed over, and not kept.
    case passThrough
    /// It is handed over, and kept.
    case store(StoredResponse)
    /// It says that a kept one is still good, which answers the request with the fields that it has with those of the confirmation.
    case freshen(Int, StoredResponse, ServedContent, StoredResponseUpdate)
    /// It is the rest of a kept beginning: both together are handed over, and kept.
    case combine(Int, StoredResponse)
    /// The origin fails, and a kept one is handed over in its place.
    case serveStale(Int, ServedContent)
    /// It answers the conditions of the cache, but not the request, which is to be sent as it came.
    case retryUnconditionally
}
