import Foundation
import HTTPTypes
import Hummingbird
import JSONWriting
import OrderLifecycle
import OrderStorage

extension OrderAPI {
    func addBoard(to router: RouterGroup<some OrderAPIContext>) {
        router.get("orders") { request, _ in
            let person = try await person(of: request)
            return try await page(OrderListQuery(request, for: person, at: now()), for: person, request)
        }
        router.get("counts") { request, _ in
            _ = try await dispatcher(of: request)
            let counts = try await store.counts(at: now())
            return Response.json { counts.write(to: &$0) }
        }
        router.get("orders/:id") { request, context in
            try await order(Self.orderID(context), for: person(of: request))
        }
        router.get("orders/:id/history") { request, context in
            try await history(of: Self.orderID(context), for: person(of: request))
        }
    }

    /// Whether a person may see an order: a courier sees open orders and those that the courier has or had last.
    static func isVisible(_ record: OrderRecord, to person: Person) -> Bool {
        person.role == .dispatcher || record.state == .open || record.holder == person.id
    }

    private func order(_ id: Int, for person: Person) async throws -> Response {
        guard let record = try await store.order(id), Self.isVisible(record, to: person) else { throw APIProblem.orderUnknown }
        let holders = try await people(record.holder.map { [$0] } ?? [], for: person)
        return .json(fields: .tag(of: record.version)) { json in
            document(record, holders, for: person).write(to: &json)
        }
    }

    private func page(_ query: OrderListQuery, for person: Person, _ request: Request) async throws -> Response {
        let page = try await store.orders(query.board)
        // After the position of the page, so that a change that is not counted comes after it.
        async let counts = query.includesCounts ? store.counts(at: now()) : nil
        let holders = try await people(page.orders.compactMap(\.holder), for: person)
        var fields: HTTPFields = [:]
        let next = try page.next.map { try query.cursorText($0) }
        if let next { fields[.link] = "<\(Self.pathWithQuery(of: request, after: next))>; rel=\"next\"" }
        return .json(fields: fields) { [counts = try await counts] json in
            json.field("position", page.position.text)
            json.field("next", next)
            if let counts { json.field("counts", object: { counts.write(to: &$0) }) }
            json.field("orders", array: page.orders) { record, json in
                var document = document(record, holders, for: person)
                document.distance = query.place.flatMap { place in record.content.destination.coordinate.map { place.distance(to: $0) } }
                json.object { document.write(to: &$0) }
            }
        }
    }

    private func document(_ record: OrderRecord, _ holders: [PersonID: Person], for person: Person) -> OrderDocument {
        OrderDocument(
            record: record, holder: record.holder.flatMap { holders[$0] },
            attention: person.role == .dispatcher ? record.attention(at: now()) : nil)
    }

    /// Returns the people with some ids; a courier's own page contains nobody else.
    private func people(_ ids: [PersonID], for person: Person) async throws -> [PersonID: Person] {
        var others = Set(ids)
        let isIncluded = others.remove(person.id) != nil
        var people = try await store.people(others)
        if isIncluded { people[person.id] = person }
        return people
    }

    /// Returns the history of an order; to a courier who had it only its own part.
    private func history(of id: Int, for person: Person) async throws -> Response {
        guard let history = try await store.history(of: id)?.part(visibleTo: person) else { throw APIProblem.orderUnknown }
        let (record, events, reports) = (history.record, history.newestEvents, history.newestReports)
        var holderName: String?
        if let holder = record.holder { holderName = try await people([holder], for: person)[holder]?.name }
        return .json { [holderName] json in
            json.field("order", number: id)
            // The present holder explains a report to the courier who had the order.
            if let holder = record.holder {
                json.field("holder", object: { PersonDocument(id: holder, name: holderName).write(to: &$0) })
            } else {
                json.field("holder", nil)
            }
            json.field("heldSince", record.heldSince?.text)
            if Self.isVisible(history.record, to: person) {
                json.field("state", history.record.state.rawValue)
                json.field("version", history.record.version.text)
            }
            json.field("omittedEvents", number: history.events.count - events.count)
            json.field("events", array: events) { event, json in json.object { event.write(to: &$0) } }
            json.field("omittedReports", number: history.reports.count - reports.count)
            json.field("reports", array: reports) { report, json in
                json.object { json in
                    json.field("number", number: report.number)
                    json.field("settled", flag: report.isSettled)
                    report.report.write(to: &json)
                }
            }
            json.field("proofs", array: history.proofs) { proof, json in json.object { proof.write(to: &$0) } }
        }
    }

    /// Returns the target of a request with another cursor.
    private static func pathWithQuery(of request: Request, after cursor: String) -> String {
        let others = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("after=") }
        return "\(request.uri.path)?" + (others.map(String.init) + ["after=\(cursor)"]).joined(separator: "&")
    }
}

extension OrderCounts {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("states", array: OrderState.allCases) { state, json in
            json.object { json in
                json.field("state", state.rawValue)
                json.field("count", number: states[state] ?? 0)
            }
        }
        json.field("attention", number: attention)
        json.field("couriers", array: held.sorted { $0.key.rawValue < $1.key.rawValue }) { courier, json in
            json.object { json in
                json.field("id", courier.key.rawValue)
                json.field("count", number: courier.value)
            }
        }
    }
}

extension OrderHistory {
    /// Returns what a person may see; nil for a courier who has never had the order.
    fileprivate func part(visibleTo person: Person) -> OrderHistory? {
        guard person.role == .courier else { return self }
        let part = OrderHistory(
            record: record, events: events.filter { $0.holder == person.id || $0.actor == person.id },
            reports: reports.filter { $0.report.actor == person.id }, proofs: proofs.filter { $0.id.person == person.id })
        return part.events.isEmpty && part.reports.isEmpty ? nil : part
    }
}

/// The part of a history that is in a response, so that every client can read it: a window accepts 4 MiB.
extension OrderHistory {
    /// The maximum size of the events, and that of the reports, in bytes.
    static let sizeLimit = 1 << 20

    var newestEvents: [OrderEvent] { Self.newest(events) { Self.size($0.missingItems, $0.proofs) } }

    var newestReports: [StoredReport] { Self.newest(reports) { Self.size($0.report.missingItems, $0.report.proofs) } }

    /// Returns the last elements that are together within the limit, in their order.
    private static func newest<Element>(_ elements: [Element], size: (Element) -> Int) -> [Element] {
        var rest = sizeLimit
        let count = elements.reversed().prefix { element in
            rest -= size(element)
            return rest >= 0
        }.count
        return Array(elements.suffix(count))
    }

    /// Returns a size that an event or a report with these values does not exceed, in bytes.
    private static func size(_ missingItems: [String], _ proofs: [ProofDigest]) -> Int {
        missingItems.reduce(512 + 67 * proofs.count) { size, item in
            item.utf8.reduce(size + 3) { $0 + ($1.isEscapedInJSON ? 6 : 1) }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let link = Self("Link")!
}
