import Hummingbird

/// Which photos a request asks for: `?sol=1000&camera=fhaz&page=2`, or `?earth_date=2015-05-30`.
struct PhotoQuery: Sendable {
    /// How many photos make a page; without a page there is no limit.
    static let pageLength = 25

    /// Why a request is refused.
    struct Refusal: Error {
        let reason: String
    }

    enum Day: Sendable {
        case sol(Int)
        case earthDate(String)
    }

    let day: Day
    /// In upper case, whether there is such a camera or not.
    let camera: String?
    /// Counted from 1.
    let page: Int?

    /// - Throws: `Refusal`.
    init(_ query: Parameters) throws(Refusal) {
        camera = query["camera"].flatMap { $0.isEmpty ? nil : $0.uppercased() }
        page = try query["page"].map { text throws(Refusal) in try Self.number(text, of: "page", from: 1) }
        if let sol = query["sol"] {
            day = .sol(try Self.number(sol, of: "sol", from: 0))
        } else if let date = query["earth_date"] {
            day = .earthDate(String(date))
        } else {
            throw Refusal(reason: "sol or earth_date is missing")
        }
    }

    /// The photos of a rover that are meant; of a sol or a camera that there is not, none.
    func photos(of rover: SolCatalogue.RoverSols) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let sols =
            switch day {
            case .sol(let number): [rover[number]].compactMap { $0 }
            case .earthDate(let date): rover.sols(on: date)
            }
        return Self.page(page, of: Self.photos(of: sols, camera: camera))
    }

    static func photos(of sols: [MarsSol], camera: String?) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let chosen = camera.map { MarsCamera(rawValue: $0) }
        if case .some(nil) = chosen { return [] }
        return sols.flatMap { sol in sol.photos(of: chosen ?? nil).map { (sol, $0) } }
    }

    private static func page<Element>(_ page: Int?, of elements: [Element]) -> [Element] {
        guard let page else { return elements }
        // Nothing has so many pages that the product could be too large.
        guard page <= elements.count / pageLength + 1 else { return [] }
        return Array(elements.dropFirst((page - 1) * pageLength).prefix(pageLength))
    }

    private static func number(_ text: Substring, of name: String, from least: Int) throws(Refusal) -> Int {
        guard !text.hasPrefix("+"), let number = Int(text), number >= least else {
            throw Refusal(reason: "\(name) is no whole number from \(least)")
        }
        return number
    }
}
