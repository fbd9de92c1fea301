/// What a page tells about itself when it opens its stream anew, so that any server can take it on.
struct PageDescription: Decodable, Sendable {
    /// The window that it had.
    let window: String?
    let screen: String
    /// The first and last index in view.
    let first: Int?
    let last: Int?
    /// The first row in view, or the one that a page of its own shows.
    let row: String?
    let search: String?
    let sort: String?
    let near: [Double]?
    /// Which photos it shows: of which rover, sol and, where it filters, camera.
    var rover: String?
    var sol: String?
    var camera: String?

    var query: RequestedQuery { RequestedQuery(search: search, sort: sort, near: near) }

    /// The indices in view, not more than a limit.
    func visible(atMost limit: Int) -> Range<Int> {
        let first = first?.clampedToList ?? 0
        let last = max(first, last?.clampedToList ?? first)
        return first..<min(last, first + limit) + 1
    }
}
