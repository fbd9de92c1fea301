import Hummingbird

/// The photos that a request selects: `?sol=1000&camera=fhaz&page=2`, or `?earth_date=2015-05-30`.
struct PhotoQuery: Sendable {
    /// The reason why a request is refused.
    struct InvalidRequest: Error {
        let reason: String
    }

    enum Day: Sendable {
        case sol(Int)
        case earthDate(String)
    }

    let day: Day
    /// The camera in upper case, which may not exist.
    let camera: String?
    let page: Page

    /// Parses a query.
    ///
    /// - Throws: `InvalidRequest` when a number is malformed, or both `sol` and `earth_date` are missing.
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

    /// Returns the selected photos of a rover, none for an unknown sol or camera.
    func photos(of rover: SolCatalog.RoverSols) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let sols =
            switch day {
            case .sol(let number): [rover[number]].compactMap { $0 }
            case .earthDate(let date): rover.sols(on: date)
            }
        return page.slice(of: Self.photos(of: sols, camera: camera))
    }

    static func photos(of sols: [MarsSol], camera: String?) -> [(sol: MarsSol, photo: MarsPhoto)] {
        let selectedCamera = camera.map { MarsCamera(rawValue: $0) }
        if case .some(nil) = selectedCamera { return [] }
        return sols.flatMap { sol in sol.photos(of: selectedCamera ?? nil).map { (sol, $0) } }
    }

    /// Returns a date with leading zeros, as in sols: `2015-01-02` for `2015-1-2`. Malformed dates match no sol.
    private static func padded(_ date: Substring) -> String {
        date.split(separator: "-", omittingEmptySubsequences: false).map { $0.count == 1 ? "0" + $0 : $0 }.joined(separator: "-")
    }

    private static func number(_ text: Substring, of name: String, from minimum: Int) throws(InvalidRequest) -> Int {
        guard !text.hasPrefix("+"), let number = Int(text), number >= minimum else {
            throw InvalidRequest(reason: "\(name) must be an integer of at least \(minimum)")
        }
        return number
    }
}

extension PhotoQuery {
    /// The page of photos that a request selects: `?page=2&per_page=50`. Without a page number it is all photos.
    struct Page: Sendable {
        /// The number of photos per page unless the request specifies it.
        private static let defaultPageSize = 25
        /// The maximum number of photos per page.
        private static let maximumPageSize = 1_000

        /// The page number, from 1.
        private let number: Int?
        private let pageSize: Int

        /// Parses the page; an invalid page size becomes the default.
        ///
        /// - Throws: `InvalidRequest` when the page number is malformed.
        init(_ query: Parameters) throws(InvalidRequest) {
            number = try query["page"].map { text throws(InvalidRequest) in try PhotoQuery.number(text, of: "page", from: 1) }
            let length = query["per_page"].flatMap { Int($0) } ?? Self.defaultPageSize
            self.pageSize = 1...Self.maximumPageSize ~= length ? length : Self.defaultPageSize
        }

        func slice<Element>(of elements: [Element]) -> [Element] {
            guard let number else { return elements }
            // Prevents an overflow of the product.
            guard number <= elements.count / pageSize + 1 else { return [] }
            return Array(elements.dropFirst((number - 1) * pageSize).prefix(pageSize))
        }
    }
}
