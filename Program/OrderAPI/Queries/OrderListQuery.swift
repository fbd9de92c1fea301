import Foundation
import Hummingbird
import OrderLifecycle
import OrderStorage

/// The query of `GET /orders`.
///
/// | parameter | value |
/// |---|---|
/// | `scope` | `open` (default); `mine`; `all` that the person may see; for dispatchers also `attention` |
/// | `state` | for dispatchers: states with commas between them |
/// | `box` | `south,west,north,east` in degrees |
/// | `near` | `latitude,longitude` |
/// | `text` | words of title, address and note |
/// | `sort` | `id` (default), `newest`, `price`, `due`, `distance` (default with `near`) |
/// | `limit` | 1 to 100 (default: 50) |
/// | `after` | the cursor of the previous page |
/// | `counts` | for dispatchers: `true` to read the numbers of orders with the page |
struct OrderListQuery {
    private static let defaultLimit = 50
    private static let textLimit = 400

    let board: BoardQuery
    /// The place of `near`.
    let place: Coordinate?
    let includesCounts: Bool

    /// Parses a query.
    ///
    /// - Throws: `APIProblem`.
    init(_ request: Request, for person: Person, at now: Timestamp) throws {
        let parameters = request.uri.queryParameters
        func value(_ name: Substring) -> String? { parameters[name].map(String.init) }
        place = try value("near").map(Self.place)
        let text = value("text")
        guard text?.utf8.count ?? 0 <= Self.textLimit else { throw APIProblem.invalid("\"text\" has at most \(Self.textLimit) bytes.") }
        includesCounts = try value("counts").map(Self.flag) ?? false
        guard !includesCounts || person.role == .dispatcher else { throw APIProblem.rejection(.wrongRole(required: .dispatcher)) }
        let sort = try Self.sort(value("sort"), place)
        board = BoardQuery(
            try Self.scope(value("scope"), states: value("state"), for: person, at: now), box: try value("box").map(Self.box), text: text,
            sort: sort, limit: try value("limit").map(Self.limit) ?? Self.defaultLimit,
            after: try value("after").map { try Self.cursor($0, for: sort) })
    }

    private static func scope(
        _ text: String?, states: String?, for person: Person, at now: Timestamp
    ) throws -> BoardQuery.Scope {
        if let states {
            guard person.role == .dispatcher else { throw APIProblem.rejection(.wrongRole(required: .dispatcher)) }
            let parsed = states.split(separator: ",").map { OrderState(rawValue: String($0)) }
            guard !parsed.isEmpty, !parsed.contains(nil) else { throw APIProblem.invalid("\"state\" must name states of orders.") }
            return .states(Set(parsed.compactMap(\.self)))
        }
        switch text {
        case nil, "open": return .open
        case "mine": return .held(by: person.id)
        case "all": return person.role == .dispatcher ? .states(Set(OrderState.allCases)) : .visible(to: person.id)
        case "attention":
            guard person.role == .dispatcher else { throw APIProblem.rejection(.wrongRole(required: .dispatcher)) }
            return .attention(at: now)
        default: throw APIProblem.invalid("\"scope\" must be open, mine, all or attention.")
        }
    }

    private static func sort(_ text: String?, _ place: Coordinate?) throws -> BoardQuery.Sort {
        switch text {
        case nil: return place.map(BoardQuery.Sort.distance) ?? .id
        case "id": return .id
        case "newest": return .newest
        case "price": return .price
        case "due": return .due
        case "distance":
            guard let place else { throw APIProblem.invalid("To sort by distance, send \"near\" too.") }
            return .distance(from: place)
        default: throw APIProblem.invalid("\"sort\" must be id, newest, price, due or distance.")
        }
    }

    private static func flag(_ text: String) throws -> Bool {
        guard let flag = Bool(text) else { throw APIProblem.invalid("\"counts\" must be true or false.") }
        return flag
    }

    private static func limit(_ text: String) throws -> Int {
        guard let limit = Int(text), (1...BoardQuery.limitOfPage).contains(limit) else {
            throw APIProblem.invalid("\"limit\" must be from 1 to \(BoardQuery.limitOfPage).")
        }
        return limit
    }

    private static func numbers(_ text: String, count: Int) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        return numbers.count == count && numbers.allSatisfy { $0?.isFinite == true } ? numbers.compactMap(\.self) : nil
    }

    private static func place(_ text: String) throws -> Coordinate {
        guard let numbers = numbers(text, count: 2), let place = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
            throw APIProblem.invalid("\"near\" must be a latitude and a longitude, such as 40.71,-74.01.")
        }
        return place
    }

    private static func box(_ text: String) throws -> CoordinateBox {
        guard let numbers = numbers(text, count: 4), Coordinate(latitude: numbers[0], longitude: numbers[1]) != nil,
            Coordinate(latitude: numbers[2], longitude: numbers[3]) != nil, numbers[0] <= numbers[2]
        else { throw APIProblem.invalid("\"box\" must be south,west,north,east in degrees.") }
        return CoordinateBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
    }
}

// MARK: - Cursors

extension OrderListQuery {
    /// Returns a cursor as text for URLs.
    func cursorText(_ cursor: PageCursor) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(cursor).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func cursor(_ text: String, for sort: BoardQuery.Sort) throws -> PageCursor {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard text.utf8.count <= 500, let data = Data(base64Encoded: base64 + padding),
            let cursor = try? JSONDecoder().decode(PageCursor.self, from: data), cursor.isCursor(of: sort)
        else { throw APIProblem.invalid("\"after\" must be the \"next\" of the previous page.") }
        return cursor
    }
}

extension PageCursor {
    /// Whether the cursor belongs to pages of a sort.
    fileprivate func isCursor(of sort: BoardQuery.Sort) -> Bool {
        switch (self, sort) {
        case (.id, .id), (.newest, .newest), (.price, .price), (.due, .due): true
        case (.distance(let metres, _), .distance): metres?.isFinite ?? true
        default: false
        }
    }
}
