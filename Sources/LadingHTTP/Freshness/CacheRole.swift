import HTTPTypes

/// The audience of a cache, and the response fields that override `Cache-Control` for it (RFC 9213 §2.2).
struct CacheRole: Hashable {
    static let `private` = CacheRole(.private)
    static let shared = CacheRole(.shared)

    let scope: CacheScope
    /// The targeted fields, of which only the first valid one counts.
    let targets: [HTTPField.Name]
    /// The lifetime of responses with status 200 that specify none, in seconds; nil for the heuristic.
    let defaultLifetime: Double?

    /// - Parameter targets: The targeted fields; nil for those of the audience.
    init(_ audience: CacheScope, targets: [HTTPField.Name]? = nil, defaultLifetime: Double? = nil) {
        self.scope = audience
        self.defaultLifetime = defaultLifetime
        self.targets = targets ?? audience.targets
    }

    var isShared: Bool { scope == .shared }

    /// Returns the directives of a response that apply to the cache.
    func control(of headers: HTTPFields) -> CacheControl {
        for target in targets {
            if let control = CacheControl(target, in: headers) { return control }
        }
        return CacheControl(headers)
    }

    /// Returns whether a stored response may be served to any client.
    ///
    /// A shared cache does not serve one that was stored under other rules, or that a later validation has made private.
    func mayServe(_ response: StoredResponse) -> Bool {
        !(isShared && response.control(for: self).hasUnqualified("private"))
    }
}
