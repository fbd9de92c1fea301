import Digests
import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP
import OrderLifecycle
import OrderSimulation

/// A service of orders behind HTTP, as simulated people use it: one client with the token of each person.
///
/// Requests go to the origins in turn, as through a load balancer.
struct OrderClient: SimulatedService {
    private static let limits = ResponseLimits(bodySize: 4 << 20, time: .seconds(10))

    /// The client of people, who repeat their requests themselves.
    let client: BackendClient
    /// The client that reads the feed and the histories at the end, also while a server starts again.
    private let reader: BackendClient
    let origins: [URL]
    /// The token of each person.
    let tokens: [PersonID: String]
    /// The person who reads histories and the feed.
    let dispatcher: PersonID
    private let next = RoundRobin()

    init(client: BackendClient, origins: [URL], tokens: [PersonID: String], dispatcher: PersonID) {
        reader = client.withoutInterceptors()
        self.client = reader.withoutRetries()
        self.origins = origins
        self.tokens = tokens
        self.dispatcher = dispatcher
    }

    func response(to request: SimulatedRequest, at now: Timestamp) async -> SimulatedResponse {
        do {
            switch request.content {
            case .list: return .orders(try await list(request))
            case .read: return try await read(request)
            case .attention: return .attention(try await attention())
            case .upload(let bytes): return try await upload(bytes, request)
            default: return try await perform(request, at: now)
            }
        } catch {
            return .lost
        }
    }

    // MARK: - Requests

    /// Reads with retries.
    private func readAsDispatcher(_ path: String, query: [URLQueryItem] = []) async throws -> (status: Int, body: [UInt8]) {
        try await send(.get, path, query: query, as: dispatcher, with: reader)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, query: [URLQueryItem] = [], as person: PersonID, headers: HTTPFields = [:],
        body: [UInt8] = [], with client: BackendClient? = nil
    ) async throws -> (status: Int, body: [UInt8]) {
        var headers = headers
        headers[.authorization] = "Bearer \(tokens[person] ?? "")"
        if !body.isEmpty, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        let url = origins[next.number(below: origins.count)].appending(path: "api/v1/\(path)")
            .appending(query: URLQuery(query.map { URLQuery.Item($0.name, $0.value) }))
        let response = try await (client ?? self.client).response(
            to: RequestMessage(method: method, url: url, headers: headers, body: .bytes(body)), within: Self.limits)
        return (response.status.code, Array(response.body))
    }

    private func decode<Value: Decodable>(_ body: [UInt8]) throws -> Value { try JSONDecoder().decode(Value.self, from: Data(body)) }

    private func list(_ request: SimulatedRequest) async throws -> [Int] {
        let (_, body) = try await send(.get, "orders", query: [URLQueryItem(name: "limit", value: "100")], as: request.person)
        let page: Wire.Page = try decode(body)
        return page.orders.map(\.id)
    }

    private func read(_ request: SimulatedRequest) async throws -> SimulatedResponse {
        let (status, body) = try await send(.get, "orders/\(request.order)", as: request.person)
        guard status == 200 else { return status == 404 ? .refused(isFinal: true, reason: "order-unknown") : .lost }
        let order: Wire.Order = try decode(body)
        return .read(eventCount: order.eventCount, fence: Fence(rawValue: order.fence))
    }

    private func attention() async throws -> [Int: [Int]] {
        var reports: [Int: [Int]] = [:]
        for order in try await ordersThatNeedAttention(with: client) where order.openReports > 0 {
            let history: Wire.History = try decode(try await send(.get, "orders/\(order.id)/history", as: dispatcher).body)
            reports[order.id] = history.reports.filter { $0.settled == false }.map(\.number)
        }
        return reports
    }

    private func ordersThatNeedAttention(with client: BackendClient) async throws -> [Wire.Order] {
        var (orders, cursor, cursors) = ([Wire.Order](), String?.none, Set<String>())
        repeat {
            let query = [("scope", "attention"), ("limit", "100"), ("after", cursor)].compactMap { name, value in
                value.map { URLQueryItem(name: name, value: $0) }
            }
            let page: Wire.Page = try decode(try await send(.get, "orders", query: query, as: dispatcher, with: client).body)
            orders += page.orders
            cursor = page.next
            if let cursor, !cursors.insert(cursor).inserted {
                throw ProgramFailure(message: "the server answered a page of orders with the cursor of an earlier page")
            }
        } while cursor != nil
        return orders
    }

    private func upload(_ bytes: [UInt8], _ request: SimulatedRequest) async throws -> SimulatedResponse {
        let digest = SHA256.hash(data: bytes).hexString
        let (status, _) = try await send(
            .put, "orders/\(request.order)/proofs/\(digest)", query: [URLQueryItem(name: "kind", value: "note")], as: request.person,
            headers: [.contentType: "text/plain"], body: bytes)
        return status < 300 ? .stored : status < 500 ? .refused(isFinal: true, reason: "\(status)") : .lost
    }

    private func perform(_ request: SimulatedRequest, at now: Timestamp) async throws -> SimulatedResponse {
        var headers: HTTPFields = [.idempotencyKey: request.key]
        if let fence = request.fence { headers[.ifMatch] = "\"\(fence.rawValue)\"" }
        headers[.clientTime] = Timestamp(milliseconds: now.milliseconds + request.clockError).text
        let body = try JSONEncoder.sorted.encode(Wire.Command(request))
        let (status, response) = try await send(.post, request.path, as: request.person, headers: headers, body: Array(body))
        switch status {
        case 200, 201:
            let verdict: Wire.Verdict = try decode(response)
            return .accepted(
                order: verdict.order ?? 0, events: verdict.events ?? [], fence: Fence(rawValue: verdict.fence ?? 0),
                eventCount: verdict.events?.max() ?? 0)
        case 202: return .reported
        case ..<500:
            let problem: Wire.Problem = try decode(response)
            return .refused(isFinal: problem.final, reason: problem.type)
        default: return .lost
        }
    }

    // MARK: - The feed and the end

    func changes(after position: String?) async throws -> (events: [FeedEvent], position: String) {
        let query = position.map { [URLQueryItem(name: "after", value: $0)] } ?? []
        let (status, body) = try await readAsDispatcher("changes", query: query)
        guard status != 401 else {
            throw ProgramFailure(message: "the server does not know the simulated people: give its data directory with --data")
        }
        guard status == 200 else { throw ProgramFailure(message: "the server answered the request for changes with status \(status)") }
        let page: Wire.ChangePage = try decode(body)
        let events = page.changes.compactMap { change in change.event.map { FeedEvent(order: change.order, number: $0.number) } }
        guard events.isEmpty || page.position != position else {
            throw ProgramFailure(message: "the server answered changes with the position before them")
        }
        return (events, page.position)
    }

    func finalState(of order: Int, at now: Timestamp) async throws -> FinalState? {
        let (status, body) = try await readAsDispatcher("orders/\(order)")
        guard status == 200 else { return nil }
        let record: Wire.Order = try decode(body)
        let history: Wire.History = try decode(try await readAsDispatcher("orders/\(order)/history").body)
        guard (history.omittedEvents ?? 0) == 0, (history.omittedReports ?? 0) == 0 else {
            throw ProgramFailure(message: "the history of order \(order) is too long to be checked: the server omits its beginning")
        }
        var proofs: [ProofDigest] = []
        for proof in history.proofs {
            let (status, bytes) = try await readAsDispatcher("orders/\(order)/proofs/\(proof.digest)")
            if status == 200, SHA256.hash(data: bytes).hexString == proof.digest, let digest = ProofDigest(rawValue: proof.digest) {
                proofs.append(digest)
            }
        }
        let deadline = record.deadline.flatMap(Timestamp.init(text:))
        let isLate = deadline.map { $0 <= now } ?? false
        return FinalState(
            state: OrderState(rawValue: record.state) ?? .open, holder: record.holder.map { PersonID(rawValue: $0.id) },
            leaseEnd: record.leaseEnd.flatMap(Timestamp.init(text:)), deadline: deadline,
            needsAttention: isLate ? try await needsAttention(order) : false, events: history.events.compactMap(\.event),
            reports: history.reports.compactMap(\.report), proofs: proofs)
    }

    private func needsAttention(_ order: Int) async throws -> Bool {
        try await ordersThatNeedAttention(with: reader).contains { $0.id == order }
    }
}

extension JSONEncoder {
    /// An encoder with sorted keys: a repeated request has the same bytes.
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension HTTPField.Name {
    fileprivate static let clientTime = Self("Lading-Client-Time")!
}
