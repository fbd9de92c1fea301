import Digests
import OrderLifecycle
import OrderSimulation
import OrderStorage

/// A service in the same process: the store of orders without HTTP.
struct StoreService: SimulatedService {
    private let store: any OrderStore
    private let dispatchers: Set<PersonID>

    init(_ store: any OrderStore, dispatchers: Set<PersonID>) {
        self.store = store
        self.dispatchers = dispatchers
    }

    func response(to request: SimulatedRequest, at now: Timestamp) async -> SimulatedResponse {
        do {
            switch request.content {
            case .list: return .orders(try await store.orders(BoardQuery(.open)).orders.map(\.id))
            case .read: return try await read(request)
            case .attention: return try await attention(at: now)
            case .upload(let bytes): return try await upload(bytes, request, at: now)
            default: return try await perform(request, at: now)
            }
        } catch OrderStoreError.keyReused {
            return .refused(isFinal: true, reason: "key-reused")
        } catch {
            return .lost
        }
    }

    private func read(_ request: SimulatedRequest) async throws -> SimulatedResponse {
        guard let record = try await store.order(request.order) else { return .refused(isFinal: true, reason: "order-unknown") }
        return .read(eventCount: record.version.eventCount, fence: record.fence)
    }

    private func attention(at now: Timestamp) async throws -> SimulatedResponse {
        var (reports, query) = ([Int: [Int]](), BoardQuery(.attention(at: now)))
        repeat {
            let page = try await store.orders(query)
            for record in page.orders where record.openReports > 0 {
                let open = try await store.history(of: record.id)?.reports.filter { !$0.isSettled } ?? []
                reports[record.id] = open.map(\.number)
            }
            query.after = page.next
        } while query.after != nil
        return .attention(reports)
    }

    private func upload(_ bytes: [UInt8], _ request: SimulatedRequest, at now: Timestamp) async throws -> SimulatedResponse {
        guard let digest = ProofDigest(rawValue: SHA256.hash(data: bytes).hexString) else { return .lost }
        let id = ProofID(order: request.order, person: request.person, digest: digest)
        let record = ProofRecord(
            id: id, kind: .note, mediaType: "text/plain", length: bytes.count, contentDigest: digest, storedTime: now)
        try await store.addProof(Proof(record: record, content: bytes))
        return .stored
    }

    private func perform(_ request: SimulatedRequest, at now: Timestamp) async throws -> SimulatedResponse {
        // The server corrects the time by the client's clock, and believes no action later than now.
        let time = min(Timestamp(milliseconds: request.actionTime.milliseconds - request.clockError), now)
        let role: Role = dispatchers.contains(request.person) ? .dispatcher : .courier
        let command = OrderStoreCommand(
            request.change, from: .init(request.person, role: role, actionTime: time), key: request.key,
            fingerprint: request.fingerprint)
        let verdict = try await store.perform(command, at: now).verdict
        switch verdict.outcome {
        case .accepted(let events):
            return .accepted(
                order: verdict.order ?? 0, events: events, fence: verdict.version?.fence ?? .initial,
                eventCount: verdict.version?.eventCount ?? 0)
        case .reported: return .reported
        case .refused(let rejection): return .refused(isFinal: rejection.isFinal, reason: "\(rejection)")
        case .changed, .externalIDTaken, .reportUnknown, .orderUnknown: return .refused(isFinal: true, reason: "\(verdict.outcome)")
        }
    }

    func changes(after position: String?) async throws -> (events: [FeedEvent], position: String) {
        guard let position = position.flatMap({ ChangePosition(text: $0) }) else { return ([], try await store.position().text) }
        let page = try await store.changes(after: position, limit: 500)
        let events = page.changes.compactMap { change -> FeedEvent? in
            if case .event(let event) = change.content { FeedEvent(order: change.order, number: event.number) } else { nil }
        }
        return (events, page.position.text)
    }

    func finalState(of order: Int, at now: Timestamp) async throws -> FinalState? {
        guard let history = try await store.history(of: order) else { return nil }
        var proofs: [ProofDigest] = []
        for record in history.proofs {
            guard let proof = try await store.proof(record.id) else { continue }
            if SHA256.hash(data: proof.content).hexString == record.contentDigest.rawValue { proofs.append(record.id.digest) }
        }
        let record = history.record
        return FinalState(
            state: record.state, holder: record.holder, leaseEnd: record.leaseEnd, deadline: record.deadline,
            needsAttention: record.needsAttention(at: now), events: history.events, reports: history.reports.map(\.report), proofs: proofs)
    }
}

extension SimulatedRequest {
    /// The change that a command requests.
    fileprivate var change: OrderStoreCommand.Change {
        let fence = fence ?? .initial
        return switch content {
        case .create(let title): .create(Self.content(title), externalID: nil)
        case .accept(let report): .accept(order: order, report: report)
        case .reassign(let person): .lifecycle(order: order, .reassign(to: person))
        case .correct(let state): .lifecycle(order: order, .correct(to: state, holder: nil))
        case .command(.release): .lifecycle(order: order, .release(fence))
        case .command(.pickUp): .lifecycle(order: order, .pickUp(fence, missing: missingItems))
        case .command(.arrive): .lifecycle(order: order, .arrive(fence))
        case .command(.attempt): .lifecycle(order: order, .attempt(fence, reason ?? .other))
        case .command(.return): .lifecycle(order: order, .return(fence))
        case .command(.deliver): .lifecycle(order: order, .deliver(fence, proofs: proofs))
        case .command(.cancel): .lifecycle(order: order, .cancel)
        default: .lifecycle(order: order, .claim)
        }
    }

    /// The text by which two requests with one key are considered equal.
    var fingerprint: String {
        "\(content) \(order) \(fence?.rawValue ?? -1) \(missingItems) \(reason?.rawValue ?? "") \(proofs.map(\.rawValue))"
    }

    private static func content(_ title: String) -> OrderContent {
        OrderContent(
            title: title, price: "20.00", currency: "EUR",
            destination: .init(address: "1 Quay Street", coordinate: Coordinate(latitude: 40.7, longitude: -73.9)))
    }
}
