/// The limits on concurrent uploads to an origin, and on the space of all.
package struct UploadLimits: Hashable, Sendable {
    /// The default maximum of concurrent uploads of all clients.
    package static let defaultTotal = 1_000
    /// The default maximum of concurrent uploads of one client.
    package static let defaultPerClient = 50
    /// The default maximum of bytes of all files and uploads.
    package static let defaultSpace = 20 << 30
    /// The bytes that a file or an upload occupies besides its content, so that the number of empty ones is limited too.
    static let overhead = 4_096

    /// The maximum number of concurrent uploads of all clients.
    package var total: Int
    /// The maximum number of concurrent uploads of one client (an IPv4 address or an IPv6 /64).
    ///
    /// It is nil where clients cannot be distinguished.
    package var perClient: Int?
    /// The maximum number of bytes of all files and uploads, each with 4 KiB besides its content.
    package var space: Int

    package init(
        total: Int = UploadLimits.defaultTotal, perClient: Int? = UploadLimits.defaultPerClient, space: Int = UploadLimits.defaultSpace
    ) {
        self.total = total
        self.perClient = perClient
        self.space = space
    }
}
