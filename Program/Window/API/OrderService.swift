import Foundation
import HTTPTypes
import LadingHTTP
import LadingRecords
import OrderLifecycle

/// The orders that a signed-in person sees and carries out.
struct OrderService: Sendable {
    /// The orders of a list.
    enum Scope: String, CaseIterable, Sendable {
        case open, mine
        /// Open orders and the courier's own.
        case all

        /// The path of the page that lists them.
        var path: String {
            switch self {
            case .open: "/orders"
            case .mine: "/my-orders"
            case .all: "/all-orders"
            }
        }

        /// The name of the page in reports of its script.
        var screen: String {
            switch self {
            case .open: "board"
            case .mine: "my-orders"
            case .all: "all-orders"
            }
        }
    }

    /// The number of orders in a page.
    static let pageSize = 50

    let api: APIClient
    let token: String
    /// Whether documents of orders have PINs, which only dispatchers see, so that they are not recorded.
    var receivesPINs = false

    /// Verifies that the token is still valid.
    ///
    /// - Throws: `BackendError.status` if it is not.
    func verifyToken() async throws {
        let _: AccountService.Person = try api.decode(try await api.send(.get, "me", token: token))
    }

    /// Returns the next orders of a list, of as many pages as they take.
    ///
    /// - Parameters:
    ///   - count: The minimum number of orders; fewer are returned at the end of the list.
    ///   - cursor: The cursor of the previous page; nil for the first.
    func orders(_ count: Int, in scope: Scope, _ query: BoardQuery, after cursor: String?) async throws -> APIOrderPage {
        var result = try await page(scope, query, after: cursor)
        while let next = result.next, result.orders.count < count {
            result.append(try await page(scope, query, after: next))
        }
        return result
    }

    private func page(_ scope: Scope, _ query: BoardQuery, after cursor: String?) async throws -> APIOrderPage {
        var parameters = query.parameters
        parameters["scope"] = scope.rawValue
        parameters["limit"] = "\(Self.pageSize)"
        parameters["after"] = cursor
        return try api.decode(try await api.send(.get, "orders", query: parameters, token: token, containsSecrets: receivesPINs))
    }

    /// Returns an order; nil if the person may not see it.
    func order(_ id: Int) async throws -> APIOrder? {
        let response = try await api.send(.get, "orders/\(id)", token: token, containsSecrets: receivesPINs)
        guard response.status != .notFound else { return nil }
        return try api.decode(response)
    }

    /// Returns the courier's steps with an order; nil for an order that is not the courier's.
    func history(of id: Int) async throws -> APIHistory? {
        let response = try await api.send(.get, "orders/\(id)/history", token: token)
        guard response.status != .notFound else { return nil }
        return try api.decode(response)
    }

    /// Returns the present position of the change feed.
    func position() async throws -> String {
        struct Page: Decodable {
            let position: String
        }
        let page: Page = try api.decode(try await api.send(.get, "changes", token: token))
        return page.position
    }

    /// The reason for which changes are not followed any further.
    enum FeedEnd {
        /// A new epoch has begun, or the position is older than what is kept: everything is read again.
        case positionExpired
        case signedOut
    }

    /// A position of the change feed, and the change there.
    struct FeedEvent: Sendable {
        let position: String
        /// The document of the change; nil for a position without one.
        fileprivate let document: String?

        var isChange: Bool { document != nil }

        /// The change; nil if there is none. It is decoded here, because a page that every change concerns does not need it.
        var change: APIChange? { document.flatMap { try? JSONDecoder().decode(APIChange.self, from: Data($0.utf8)) } }
    }

    /// The pause of a page after a read, so that many changes cause few reads.
    static let readPause: Duration = .milliseconds(50)

    private static let reconnectDelays: [Duration] = [.milliseconds(500), .seconds(2), .seconds(10)]

    /// Returns the delay before another connection, after this number of failures in a row.
    static func reconnectDelay(after failures: Int) -> Duration { reconnectDelays[min(failures, reconnectDelays.count - 1)] }

    /// Follows the changes after a position, over as many connections as that takes.
    ///
    /// - Returns: Nil when the task was cancelled.
    func followChanges(
        after start: String, on clock: any Clock<Duration>, receive: (FeedEvent) -> Void
    ) async -> FeedEnd? {
        var (position, failures) = (start, 0)
        while !Task.isCancelled {
            do {
                try await api.events("changes", query: ["after": position], token: token) { event in
                    (position, failures) = (event.id, 0)
                    receive(FeedEvent(position: event.id, document: event.type == "change" ? event.data : nil))
                }
            } catch BackendError.status(410, _, _) {
                return .positionExpired
            } catch BackendError.status(401, _, _) {
                return .signedOut
            } catch {
                failures += 1
            }
            try? await clock.sleep(for: Self.reconnectDelay(after: failures))
        }
        return nil
    }
}

/// The search and the sort of a list, as the API understands them.
struct BoardQuery: Equatable, Sendable {
    private let text: String
    private let sort: String
    /// The place from which distances are measured.
    private let near: String?

    /// - Parameter defaultPlace: The place from which distances are measured while that of the courier is unknown.
    init(_ query: RequestedQuery, defaultPlace: String?) {
        text = query.searchText
        near = query.point?.description ?? defaultPlace
        sort =
            switch query.sort {
            case "price": "price"
            case "soonest": "due"
            case "nearest" where near != nil: "distance"
            // Near the courier, where the place is known.
            case nil where near != nil: "distance"
            default: "id"
            }
    }

    fileprivate var parameters: [String: String] {
        var parameters = ["sort": sort]
        if !text.isEmpty { parameters["text"] = text }
        if sort == "distance" { parameters["near"] = near }
        return parameters
    }
}
