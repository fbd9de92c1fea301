import Hummingbird

/// The raw images that a request selects, with the parameters of the services at mars.nasa.gov.
///
/// `?order=sol desc&per_page=200&page=0&condition_1=msl:mission&condition_2=1000:sol:in`, `?num=100&page=0&sol=1000`
struct RawImageQuery: Sendable {
    /// The maximum number of images per page.
    static let maximumPageSize = 1_000
    /// The maximum number of conditions; further ones are ignored.
    private static let conditionLimit = 8
    private static let allSols = 0...1_000_000

    let sols: ClosedRange<Int>
    let isDescending: Bool
    /// The page number, from 0.
    let page: Int
    /// The number of images per page; nil for all images of a sol.
    let pageSize: Int?
    let mission: String?

    /// Parses a query; invalid parameters are ignored, as in the original services.
    ///
    /// - Parameter pageSizeName: The name of the service's parameter for the page size.
    init(_ query: Parameters, pageSizeName: Substring) {
        var (first, last) = (Self.allSols.lowerBound, Self.allSols.upperBound)
        var mission: String?
        for number in 1...Self.conditionLimit {
            let parts = query["condition_\(number)"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
            if parts.count == 2, parts[1] == "mission" { mission = String(parts[0]) }
            guard parts.count == 3, parts[1] == "sol", let sol = Int(parts[0]), Self.allSols.contains(sol) else { continue }
            switch parts[2] {
            case "in", "eq": (first, last) = (max(first, sol), min(last, sol))
            case "gte": first = max(first, sol)
            case "gt": first = max(first, sol + 1)
            case "lte": last = min(last, sol)
            case "lt": last = min(last, sol - 1)
            default: break
            }
        }
        let sol = query["sol"].flatMap { Int($0) }
        if let sol { (first, last) = (max(first, sol), min(last, sol)) }
        sols = first <= last ? first...last : -1 ... -1
        isDescending = query["order"]?.replacing("+", with: " ").hasPrefix("sol asc") != true
        page = max(0, min(query["page"].flatMap { Int($0) } ?? 0, Self.allSols.upperBound))
        let length = query[pageSizeName].flatMap { Int($0) }.map { max(1, min($0, Self.maximumPageSize)) }
        self.pageSize = length ?? (sol == nil ? 100 : nil)
        self.mission = mission
    }

    /// Returns the images of the page, and the number of images on all pages.
    func page(of rover: SolCatalog.RoverSols) -> (images: [(sol: MarsSol, photo: MarsPhoto)], total: Int) {
        guard sols.lowerBound >= 0 else { return ([], 0) }
        let found = rover.sols(in: sols)
        var images: [(sol: MarsSol, photo: MarsPhoto)] = []
        let total = found.reduce(0) { $0 + $1.total }
        // Without a page size the first page has all images.
        var toSkip = page * (pageSize ?? total)
        for sol in isDescending ? Array(found.reversed()) : Array(found) {
            guard pageSize.map({ images.count < $0 }) ?? true else { break }
            let total = sol.total
            guard toSkip < total else { toSkip -= total; continue }
            images += sol.photos().dropFirst(toSkip).prefix((pageSize ?? .max) - images.count).map { (sol, $0) }
            toSkip = 0
        }
        return (images, total)
    }
}
