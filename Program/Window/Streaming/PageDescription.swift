/// The description that a page sends when it opens its stream again, so that any server can serve it.
struct PageDescription: Decodable, Sendable {
    /// The id of its previous session.
    let sessionID: String?
    let screen: String
    /// The first and last index in view.
    let first: Int?
    let last: Int?
    /// The id of the first row in view, or of the row on a detail page.
    let row: String?
    let search: String?
    let sort: String?
    let near: [Double]?
    /// The query of a photo grid: rover, sol and, if it is filtered, camera.
    var rover: String?
    var sol: String?
    var camera: String?

    private enum CodingKeys: String, CodingKey {
        case sessionID = "window"
        case screen, first, last, row, search, sort, near, rover, sol, camera
    }

    var query: RequestedQuery { RequestedQuery(search: search, sort: sort, near: near) }

    /// Returns the indices in view, limited in number.
    func visible(atMost limit: Int) -> Range<Int> {
        let first = first?.clampedToList ?? 0
        let last = max(first, last?.clampedToList ?? first)
        return first..<min(last, first + limit) + 1
    }
}
