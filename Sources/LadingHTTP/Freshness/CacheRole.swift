import HTTPTypes

/// Whom a cache answers, and which fields of replies speak to it before `Cache-Control` does (RFC 9213 §2.2).
struct CacheRole: Hashable {
    static let `private` = CacheRole(.private)
    static let shared = CacheRole(.shared)

    let audience: CacheAudience
    /// The first of them that can be read and says something counts, and no other.
    let targets: [HTTPField.Name]
    /// The lifetime of replies with status 200 that name none, in seconds; nil for a share of the time since their last change.
    let defaultLifetime: Double?

    /// - Parameter targets: nil for those of the audience.
    init(_ audience: CacheAudience, targets: [HTTPField.Name]? = nil, defaultLifetime: Double? = nil) {
        self.audience = audience
        self.defaultLifetime = defaultLifetime
        self.targets = targets ?? audience.targets
    }

    var isShared: Bool { audience == .shared }

    /// What a reply with these fields tells the cache.
    func control(of headers: HTTPFields) -> CacheControl {
        for target in targets {
            if let control = CacheControl(target, in: headers) { return control }
        }
        return CacheControl(headers)
    }

    /// Whether a kept reply may be handed to whoever asks.
    ///
    /// One that was kept under other rules, or has since been confirmed as meant for one user, may not.
    func mayServe(_ reply: StoredResponse) -> Bool {
        !(isShared && reply.control(for: self).hasUnqualified("private"))
    }
}
