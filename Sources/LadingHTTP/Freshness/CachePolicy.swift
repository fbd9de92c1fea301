import Foundation
import HTTPFieldValues
import HTTPTypes

/// The decisions of a cache: which responses it serves, validates and stores (RFC 9111).
///
/// It covers RFC 5861 (stale responses), RFC 8246 (`immutable`), RFC 9213 (targeted fields) and ranges (RFC 9110 §14). It accesses no store and no
/// clock: the caller passes the stored responses, newest first, and the time.
struct CachePolicy {
    /// The maximum number of entity tags that are validated at once.
    static let tagLimit = 8

    let role: CacheRole
    /// Whether executors decode content codings, so that bodies differ from those that were sent.
    let isDecoded: Bool

    /// - Parameters:
    ///   - targets: The fields that override `Cache-Control`; nil for those of the audience.
    ///   - defaultLifetime: The lifetime of responses with status 200 that specify none, in seconds; nil for the heuristic.
    init(audience: CacheScope, targets: [HTTPField.Name]? = nil, isDecoded: Bool = false, defaultLifetime: Double? = nil) {
        role = CacheRole(audience, targets: targets, defaultLifetime: defaultLifetime)
        self.isDecoded = isDecoded
    }

    /// Returns the plan for a request.
    ///
    /// - Parameter canRefresh: Whether stale responses can be refreshed in the background; otherwise they are validated first.
    func plan(for query: CacheQuery, among stored: [StoredResponse], at now: Date, canRefresh: Bool) -> CachePlan {
        guard query.isGetOrHead else { return .forward(OriginRequest(reason: .method, headers: query.headers, allowsStorage: true)) }
        guard !query.control.has("no-store"), !query.hasPreconditions else {
            return .forward(OriginRequest(reason: .bypass, headers: query.headers, allowsStorage: !query.control.has("no-store")))
        }
        let originRequest = originRequest(for: query, among: stored)
        if let selected = originRequest.selected, let content = servedContent(for: query, from: stored[selected]) {
            switch reuse(of: stored[selected], for: query, at: now) {
            case .unconditional: return .serve(selected, content, refresh: nil)
            case .whileRefreshing where canRefresh:
                var refresh = originRequest
                refresh.reason = .stale
                return .serve(selected, content, refresh: refresh)
            case .whileRefreshing, .afterValidation: break
            }
        }
        if query.control.has("only-if-cached") { return .gatewayTimeout }
        return .forward(originRequest.withReason(for: query, among: stored, at: now, role))
    }

    // MARK: Reuse

    private enum Reuse {
        /// Serve the response unchanged.
        case unconditional
        /// Serve the response unchanged, and refresh it in the background.
        case whileRefreshing
        /// Serve the response after the origin has validated it.
        case afterValidation
    }

    /// Returns the reuse that a stored response and a request allow (§4.2.4, §5.2.1, §5.2.2; RFC 5861 §3).
    private func reuse(of response: StoredResponse, for query: CacheQuery, at now: Date) -> Reuse {
        let freshness = Freshness(of: response, in: role, at: now)
        let control = response.control(for: role)
        if control.hasUnqualified("no-cache") || control.has("no-store") && !control.has("must-understand") { return .afterValidation }
        if query.requiresValidation { return .afterValidation }
        if freshness.isFresh, isFreshEnough(for: query, freshness, isImmutable: control.has("immutable")) { return .unconditional }
        guard !freshness.isFresh, mayServeStale(control) else { return .afterValidation }
        if let limit = query.control.maxStale {
            return freshness.staleness <= Double(limit) && satisfiesMaxAge(of: query, freshness) ? .unconditional : .afterValidation
        }
        guard let window = control.seconds("stale-while-revalidate"), freshness.staleness <= Double(window),
            !query.control.has("max-age"), !query.control.has("min-fresh")
        else { return .afterValidation }
        return .whileRefreshing
    }

    /// Returns whether a fresh response satisfies the request; a reload does not validate an immutable one (RFC 8246 §2).
    private func isFreshEnough(for query: CacheQuery, _ freshness: Freshness, isImmutable: Bool) -> Bool {
        if let minimumRemaining = query.control.seconds("min-fresh"), freshness.remaining < Double(minimumRemaining) { return false }
        return isImmutable || satisfiesMaxAge(of: query, freshness)
    }

    private func satisfiesMaxAge(of query: CacheQuery, _ freshness: Freshness) -> Bool {
        query.control.seconds("max-age").map { freshness.age <= Double($0) } ?? true
    }

    /// Returns whether a response allows being served stale (§4.2.4); the request may still forbid it.
    func mayServeStale(_ control: CacheControl) -> Bool {
        if control.has("must-revalidate") || control.hasUnqualified("no-cache") { return false }
        if control.has("no-store"), !control.has("must-understand") { return false }
        return !role.isShared || !(control.has("proxy-revalidate") || control.has("s-maxage"))
    }

    /// Returns the content of a stored response that serves a request; nil when a partial response does not contain it.
    func servedContent(for query: CacheQuery, from response: StoredResponse) -> ServedContent? {
        if response.status == 200 || response.status == 206, query.isNotModified(response) { return .notModified }
        guard response.status == 200 || response.status == 206, let range = query.range, query.ifRangeMatches(response) else {
            return response.part == nil ? .full : nil
        }
        guard let total = response.totalLength else {
            // Without a total length, only ranges with both ends can be resolved.
            guard case .from(let first, .some(let last)) = range, first >= response.range.lowerBound, last < response.range.upperBound
            else { return nil }
            return .partial(first..<last + 1)
        }
        guard let requested = range.resolved(in: total) else { return .rangeNotSatisfiable }
        return requested.lowerBound >= response.range.lowerBound && requested.upperBound <= response.range.upperBound
            ? .partial(requested) : nil
    }
}
