import Foundation
import HTTPTypes
import Hummingbird
import JSONWriting
import OrderLifecycle
import OrderStorage

/// The body of a command; each command uses some of its fields.
private struct CommandBody: Decodable {
    /// The time of the action by the client's clock; nil for now.
    let at: String?
    let missingItems: [String]?
    let reason: String?
    let proofs: [String]?
    let courier: String?
    let state: String?
    let report: Int?
}

/// The paths of the commands to an order, below `/orders/ID/`.
enum CommandPath: String, CaseIterable {
    case claim, release, arrive, attempt, `return`, deliver, cancel, reassign, correct, accept
    case pickUp = "pick-up"
}

extension OrderAPI {
    func addCommands(to router: RouterGroup<some OrderAPIContext>) {
        router.post("orders") { request, _ in try await create(request) }
        router.put("orders/:id") { request, context in try await edit(Self.orderID(context), request) }
        for path in CommandPath.allCases {
            router.post("orders/:id/\(path.rawValue)") { request, context in
                try await perform(path, on: Self.orderID(context), request)
            }
        }
        router.get("verdicts/:key") { request, context in
            let person = try await person(of: request)
            let key = try context.parameters.require("key")
            guard let verdict = try await store.verdict(forKey: key.removingPercentEncoding ?? key, of: person.id) else {
                throw APIProblem(
                    "verdict-unknown", .notFound, "No such verdict", "No request with this key has been decided.", isFinal: false)
            }
            return try await response(to: verdict)
        }
    }

    /// Returns the id in a path.
    static func orderID(_ context: some RequestContext) throws -> Int {
        let text = try context.parameters.require("id")
        guard let id = Int(text), id > 0, String(id) == text else { throw APIProblem.orderUnknown }
        return id
    }

    private func create(_ request: Request) async throws -> Response {
        let (person, command) = try await receive(request, from: dispatcher(of:)) { try await CommandRequest($0, at: now()) }
        let body: ContentBody = try command.body()
        let content = try await content(of: body, command, by: person)
        return try await perform(.create(content, externalID: body.externalId), by: person, command, command.actionTime(nil))
    }

    private func edit(_ id: Int, _ request: Request) async throws -> Response {
        let (person, command) = try await receive(request, from: dispatcher(of:)) { try await CommandRequest($0, at: now()) }
        let body: ContentBody = try command.body()
        if let externalID = body.externalId, let order = try await store.order(id), order.externalID != externalID {
            throw APIProblem.invalid("\"externalId\" cannot be changed: send the present one, or none.", field: "externalId")
        }
        let content = try await content(of: body, command, by: person)
        let change = OrderStoreCommand.Change.edit(order: id, content, version: try command.version())
        return try await perform(change, by: person, command, command.actionTime(nil))
    }

    private func perform(_ path: CommandPath, on id: Int, _ request: Request) async throws -> Response {
        let (person, command) = try await receive(request, from: person(of:)) { try await CommandRequest($0, at: now()) }
        let body: CommandBody = try command.body()
        let change = try await change(path, on: id, command, body, by: person)
        return try await perform(change, by: person, command, try command.actionTime(body.at))
    }

    private func perform(
        _ change: OrderStoreCommand.Change, by person: Person, _ command: CommandRequest, _ actionTime: Timestamp
    ) async throws -> Response {
        let sender = OrderLifecycle.Sender(person.id, role: person.role, actionTime: actionTime)
        let stored = OrderStoreCommand(change, from: sender, key: command.key, fingerprint: command.fingerprint)
        // The body may have arrived slowly.
        return try await response(to: perform(stored, at: now()).verdict)
    }
}

// MARK: - Bodies

extension OrderAPI {
    private static let proofLimit = 20
    /// The maximum length of the id of an item in decimal digits; earlier releases have stored any positive `Int`.
    private static let itemIDLength = 19

    private func change(
        _ path: CommandPath, on id: Int, _ command: CommandRequest, _ body: CommandBody, by person: Person
    ) async throws -> OrderStoreCommand.Change {
        switch path {
        case .claim: .lifecycle(order: id, .claim)
        case .release: .lifecycle(order: id, .release(try command.fence()))
        case .pickUp: .lifecycle(order: id, .pickUp(try command.fence(), missing: try await missingItems(body, command, by: person)))
        case .arrive: .lifecycle(order: id, .arrive(try command.fence()))
        case .attempt: .lifecycle(order: id, .attempt(try command.fence(), try Self.reason(body)))
        case .return: .lifecycle(order: id, .return(try command.fence()))
        case .deliver: .lifecycle(order: id, .deliver(try command.fence(), proofs: try Self.proofs(body)))
        case .cancel: .lifecycle(order: id, .cancel)
        case .reassign:
            .lifecycle(order: id, .reassign(to: try await courier(body.courier, command, by: person).required("courier")))
        case .correct:
            .lifecycle(order: id, .correct(to: try Self.state(body), holder: try await courier(body.courier, command, by: person)))
        case .accept: .accept(order: id, report: try body.report.required("report"))
        }
    }

    /// Refuses a command that breaks a rule, unless its key has a verdict, with which the store answers: the first request may have been
    /// accepted by an earlier release without the rule.
    ///
    /// - Throws: `problem` for a new key.
    private func refuse(_ command: CommandRequest, by person: Person, because problem: APIProblem) async throws {
        guard try await store.verdict(forKey: command.key, of: person.id) != nil else { throw problem }
    }

    /// Returns the content of an order.
    ///
    /// - Throws: `APIProblem` for a value that is not allowed.
    private func content(of body: ContentBody, _ command: CommandRequest, by person: Person) async throws -> OrderContent {
        let content = try body.content()
        if let problem = ContentBody.problem(ofItems: content.items) { try await refuse(command, by: person, because: problem) }
        return content
    }

    /// Returns the courier that a command of a person names; nil if it names none.
    ///
    /// The courier may have been revoked since the first request with this key; the store then answers with the stored verdict.
    ///
    /// - Throws: `APIProblem` for a new key if there is no such courier, or the courier is revoked.
    private func courier(_ text: String?, _ command: CommandRequest, by person: Person) async throws -> PersonID? {
        guard let text else { return nil }
        let id = PersonID(rawValue: text)
        let courier = try await store.person(id)
        if let courier, courier.revocationTime == nil, courier.role == .courier { return id }
        let problem = APIProblem.invalid("\"courier\" must be the id of a courier.", field: "courier", rule: .courier)
        try await refuse(command, by: person, because: problem)
        return id
    }

    /// Returns the ids of missing items, each once. The order may have been edited since, so it need not have them.
    private func missingItems(_ body: CommandBody, _ command: CommandRequest, by person: Person) async throws -> [String] {
        let items = body.missingItems ?? []
        if items.count > OrderContentRules.itemLimit || !items.allSatisfy(Self.isItemID) {
            let problem = APIProblem.invalid(
                "\"missingItems\" has at most \(OrderContentRules.itemLimit) ids of items, such as \"3\".", field: "missingItems")
            try await refuse(command, by: person, because: problem)
        }
        var known: Set<String> = []
        return items.filter { known.insert($0).inserted }
    }

    private static func isItemID(_ text: String) -> Bool {
        (1...itemIDLength).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func reason(_ body: CommandBody) throws -> AttemptReason {
        guard let reason = AttemptReason(rawValue: try body.reason.required("reason")) else {
            throw APIProblem.invalid("\"reason\" must be one of \(AttemptReason.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return reason
    }

    private static func state(_ body: CommandBody) throws -> OrderState {
        guard let state = OrderState(rawValue: try body.state.required("state")) else {
            throw APIProblem.invalid("\"state\" must be one of \(OrderState.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return state
    }

    private static func proofs(_ body: CommandBody) throws -> [ProofDigest] {
        let texts = body.proofs ?? []
        guard texts.count <= proofLimit else { throw APIProblem.invalid("\"proofs\" has at most \(proofLimit) digests.") }
        return try texts.map { text in
            guard let digest = ProofDigest(rawValue: text) else {
                throw APIProblem.invalid("A proof must be a SHA-256 digest of 64 lowercase hexadecimal digits.")
            }
            return digest
        }
    }
}

extension Optional {
    /// Returns the value of a required field.
    fileprivate func required(_ name: String) throws -> Wrapped {
        guard let self else { throw APIProblem.invalid("\"\(name)\" is missing.", field: name, rule: .missing) }
        return self
    }
}

// MARK: - Verdicts

extension OrderAPI {
    /// Returns the response to a verdict, equal each time it is requested: 200, 201 for a new order, 202 for a report.
    func response(to verdict: StoredVerdict) async throws -> Response {
        switch verdict.outcome {
        case .accepted:
            let isNew = verdict.version?.eventCount == 1
            var fields = verdict.version.map(HTTPFields.tag(of:)) ?? [:]
            if isNew, let order = verdict.order { fields[.location] = "\(Self.path)/orders/\(order)" }
            return .json(isNew ? .created : .ok, fields: fields) { verdict.write(to: &$0) }
        case .reported: return .json(.accepted) { verdict.write(to: &$0) }
        case .refused(.taken(let holder, let since)):
            throw APIProblem.rejection(.taken(by: holder, since: since), holder: try await store.person(holder))
        case .refused(let rejection): throw APIProblem.rejection(rejection)
        case .changed(let current):
            throw APIProblem("changed", .preconditionFailed, "The order has changed", "Read the order again.") { json in
                json.field("version", current.text)
            }
        case .externalIDTaken(let order):
            throw APIProblem("external-id-taken", .conflict, "The external id is taken", "Another order has this external id.") { json in
                json.field("order", number: order)
            }
        case .reportUnknown: throw APIProblem("report-unknown", .notFound, "No such report", "The order has no report with this number.")
        case .orderUnknown: throw APIProblem.orderUnknown
        }
    }
}
