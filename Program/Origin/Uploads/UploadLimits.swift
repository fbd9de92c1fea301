/// The limits on concurrent uploads to an origin.
package struct UploadLimits: Hashable, Sendable {
    /// The default maximum of concurrent uploads of all clients.
    package static let defaultTotal = 1_000
    /// The default maximum of concurrent uploads of one client.
    package static let defaultPerClient = 50

    /// The maximum number of concurrent uploads of all clients.
    package var total: Int
    /// The maximum number of concurrent uploads of one client (an IPv4 address or an IPv6 /64).
    ///
    /// It is nil where clients cannot be distinguished.
    package var perClient: Int?

    package init(total: Int = UploadLimits.defaultTotal, perClient: Int? = UploadLimits.defaultPerClient) {
        self.total = total
        self.perClient = perClient
    }
}
