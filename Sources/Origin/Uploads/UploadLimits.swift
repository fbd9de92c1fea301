/// The numbers of uploads that may be under way at an origin.
package struct UploadLimits: Hashable, Sendable {
    /// The most uploads under way, unless told otherwise.
    package static let defaultTotal = 1_000
    /// The most uploads under way of one client, unless told otherwise.
    package static let defaultPerClient = 50

    /// The most uploads under way of all clients.
    package var total: Int
    /// The most uploads under way of one client: one address, or one /64 of version 6; nil where clients cannot be distinguished.
    package var perClient: Int?

    package init(total: Int = UploadLimits.defaultTotal, perClient: Int? = UploadLimits.defaultPerClient) {
        self.total = total
        self.perClient = perClient
    }
}
