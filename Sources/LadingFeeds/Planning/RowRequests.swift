/// The numbers of reads and loads of each row since the viewport or the list last changed, which limit further ones. A synchronous value.
///
/// A row is requested again after others have cancelled the first request, or after a small cache has evicted the row. The next request
/// could be cancelled at once, too, or evict another row in view, without an end.
struct RowRequests<ID: Hashable & Sendable>: Sendable {
    /// The maximum number of reads and of loads of one row.
    static var limit: Int { 2 }

    /// The number of completed or cancelled reads from the archive.
    private var reads: [ID: Int] = [:]
    /// The number of completed or cancelled loads.
    private var loads: [ID: Int] = [:]

    func mayRead(_ id: ID) -> Bool { reads[id, default: 0] < Self.limit }
    func mayLoad(_ id: ID) -> Bool { loads[id, default: 0] < Self.limit }

    mutating func recordRead(of ids: [ID]) {
        for id in ids { reads[id, default: 0] += 1 }
    }

    mutating func recordLoad(of id: ID) { loads[id, default: 0] += 1 }
}
