import Foundation
import HTTPFieldValues
import HTTPTypes

/// The age and the lifetime of a stored response, in seconds (RFC 9111 §4.2).
struct Freshness: Hashable {
    /// The heuristic lifetime as a fraction of the time since the last change (§4.2.2).
    static let heuristicFraction = 0.1
    /// The maximum heuristic lifetime, in seconds.
    static let heuristicLimit = 7.0 * 24 * 3600

    var age: Double
    var lifetime: Double

    /// The remaining lifetime, negative for a stale response.
    var remaining: Double { lifetime - age }

    var isFresh: Bool { remaining > 0 }

    /// The time since the response became stale.
    var staleness: Double { max(0, -remaining) }

    init(of response: StoredResponse, in role: CacheRole, at now: Date) {
        age = Self.age(of: response, at: now)
        lifetime = Self.lifetime(of: response, in: role)
    }

    /// Returns the age (§4.2.3); a clock that is set back does not reduce it.
    private static func age(of response: StoredResponse, at now: Date) -> Double {
        let apparent = max(0, response.responseTime.timeIntervalSince(response.date))
        let ageValue = response.headers.members(of: .age).first.flatMap { DeltaSeconds.parse($0) } ?? 0
        let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
        return max(apparent, Double(ageValue) + delay) + max(0, now.timeIntervalSince(response.responseTime))
    }

    /// Returns the lifetime (§4.2.1).
    private static func lifetime(of response: StoredResponse, in role: CacheRole) -> Double {
        if let named = explicitLifetime(of: response, in: role) ?? defaultLifetime(of: response, in: role) { return named }
        guard StatusRules.allowsHeuristicFreshness(response.status) || response.control(for: role).has("public"),
            let changed = response.headers.date(.lastModified, near: response.responseTime)
        else { return 0 }
        return min(max(0, response.date.timeIntervalSince(changed)) * heuristicFraction, heuristicLimit)
    }

    /// Returns the default lifetime of the cache; nil for a response that it does not apply to.
    static func defaultLifetime(of response: StoredResponse, in role: CacheRole) -> Double? {
        response.status == 200 ? role.defaultLifetime : nil
    }

    /// Returns the lifetime that the response specifies; nil when it specifies none.
    static func explicitLifetime(of response: StoredResponse, in role: CacheRole) -> Double? {
        let control = response.control(for: role)
        if role.isShared, let seconds = control.seconds("s-maxage") { return Double(seconds) }
        if let seconds = control.seconds("max-age") { return Double(seconds) }
        guard !control.isTargeted, response.headers.contains(.expires) else { return nil }
        // An invalid date counts as past (§5.3).
        return response.headers.date(.expires, near: response.responseTime).map { $0.timeIntervalSince(response.date) } ?? 0
    }
}

/// The audience of a cache: one user, or many (RFC 9111 §1).
public enum CacheScope: String, Sendable {
    case `private`, shared

    /// The default targeted fields of the audience (RFC 9213 §3).
    var targets: [HTTPField.Name] { self == .shared ? [.cdnCacheControl] : [] }
}

extension HTTPField.Name {
    static let cdnCacheControl = Self("CDN-Cache-Control")!
}

/// The rules of caching by response status.
enum StatusRules {
    /// Returns whether a response without a lifetime has a heuristic one (RFC 9110 §15.1).
    static func allowsHeuristicFreshness(_ status: Int) -> Bool { heuristic.contains(status) }

    /// Returns whether the requirements of the status on caches are implemented (RFC 9111 §5.2.2.3).
    static func isSupported(_ status: Int) -> Bool { supportedStatuses.contains(status) }

    /// Returns whether a response may be stored: an interim one may not, nor one about conditions, a range or credentials of its request.
    static func allowsStoring(_ status: Int) -> Bool { status >= 200 && !unstorable.contains(status) }

    /// Returns whether a response replaces the whole representation: by another one, by a redirect, or by none.
    static func replacesRepresentation(_ status: Int) -> Bool {
        (200..<300).contains(status) && status != 206 || replacements.contains(status)
    }

    private static let unstorable: Set = [304, 401, 407, 412, 416]
    private static let replacements: Set = [301, 302, 303, 307, 308, 404, 410]
    private static let heuristic: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
    private static let supportedStatuses: Set = [
        200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415,
        421, 422, 429, 500, 501, 502, 503, 504, 505,
    ]
}
