/// The purpose of a request, which decides how many connections of the pool such requests may use together.
package enum RequestPurpose: Hashable, Sendable, CaseIterable {
    /// A change, also after a read. It may wait long for locks and standbys of the database.
    case change
    /// A short read on which a change, a sign-in or a check of the server depends.
    case command
    /// A read that may be long or of which there may be many, such as a list, an export or a history.
    case query
}
