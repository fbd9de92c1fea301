import Hummingbird

/// Which photos a request asks for: `?sol=1000&camera=fhaz&page=2`, or `?earth_date=2015-05-30`.
struct PhotoQuery: Sendable {
    /// Why a request is refused.
    struct InvalidRequest: Error {
        let reason: String
    }

    enum Day: Sendable {
        case sol(Int)
        case earthDate(String)
    }

    let day: Day
    /// In upper case, whether there is such a camera or not.
    let camera: String?
    let page: Page

    /// - Throws: `InvalidRequest`.
    init(_ query: Parameters) throws(InvalidRequest) {
        camera = query["camera"].flatMap { $0.isEmpty ? nil : $0.uppercased() }
        page = try Page(query)
        if let sol = query["sol"] {
            day = .sol(try Self.number(sol, of: "sol", from: 0))
        } else if let date = query["earth_date"] {
            day = .earthDate(Self.padded(date))
        } else {
            throw InvalidRequest(reason: "sol or earth_date is missing")
        }
    }

    /// The photos of a rover that are meant; of a sol or a camera that there is not, none.
    func photos(of rover: SolCatalogue.RoverSols) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let sols =
            switch day {
            case .sol(let number): [rover[number]].compactMap { $0 }
            case .earthDate(let date): rover.sols(on: date)
            }
        return page.slice(of: Self.photos(of: sols, camera: camera))
    }

    static func photos(of sols: [MarsSol], camera: String?) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let chosen = camera.map { MarsCamera(rawValue: $0) }
        if case .some(nil) = chosen { return [] }
        return sols.flatMap { sol in sol.photos(of: chosen ?? nil).map { (sol, $0) } }
    }

    /// A date with its leading zeros, as sols have it: `2015-01-02` for `2015-1-2`. What is no date is that of no sol.
    private static func padded(_ date: Substring) -> String {
        date.split(separator: "-", omittingEmptySubsequences: false).map { $0.count == 1 ? "0" + $0 : $0 }.joined(separator: "-")
    }

    private static func number(_ text: Substring, of name: String, from minimum: Int) throws(InvalidRequest) -> Int {
        guard !text.hasPrefix("+"), let number = Int(text), number >= minimum else {
            throw InvalidRequest(reason: "\(name) is no whole number from \(minimum)")
        }
        return number
    }
}

extension PhotoQuery {
    /// Which part of the photos a request asks for: `?page=2&per_page=50`; without a page all of them.
    struct Page: Sendable {
        /// How many photos make a page, unless the request says so.
        private static let defaultPageSize = 25
        /// The most photos of a page.
        private static let maximumPageSize = 1_000

        /// Counted from 1.
        private let number: Int?
        private let pageSize: Int

        /// A length that makes no sense is the usual one.
        ///
        /// - Throws: `InvalidRequest`.
        init(_ query: Parameters) throws(InvalidRequest) {
            number = try query["page"].map { text throws(InvalidRequest) in try PhotoQuery.number(text, of: "page", from: 1) }
            let length = query["per_page"].flatMap { Int($0) } ?? Self.defaultPageSize
            self.pageSize = 1...Self.maximumPageSize ~= length ? length : Self.defaultPageSize
        }

        func slice<Element>(of elements: [Element]) -> [Element] {
            guard let number else { return elements }
            // Nothing has so many pages that the product could be too large.
            guard number <= elements.count / pageSize + 1 else { return [] }
            return Array(elements.dropFirst((number - 1) * pageSize).prefix(pageSize))
        }
    }
}
