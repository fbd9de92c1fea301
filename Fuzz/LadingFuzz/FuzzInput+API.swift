import Foundation
import HTTPTypes
import HummingbirdCore
import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage

@testable import OrderAPI

extension FuzzInput {
    private static let requestTime = Timestamp(milliseconds: 1_800_000_000_000)
    /// The length of cursors that the API accepts, in bytes.
    private static let cursorLimit = 500

    /// Parses a target from the first line, fields up to an empty line, and a body from the rest.
    func parseAPIRequest() {
        for line in lines { Self.parseText(line) }
        let rest = lines.dropFirst()
        let body = rest.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n")
        let request = Self.request(to: lines[0], Self.fields(rest.prefix { !$0.isEmpty }), body)
        for role in [Role.courier, .dispatcher] { Self.parseListQuery(request, as: role) }
        Self.wait { await Self.parseCommand(request) }
    }

    /// Parses a text of a path, a field or a document.
    private static func parseText(_ text: String) {
        if let position = ChangePosition(text: text) {
            precondition(ChangePosition(text: position.text) == position, "a position is written as it was read")
        }
        if let version = OrderVersion(text: text) {
            precondition(OrderVersion(text: version.text) == version, "a version is written as it was read")
        }
        if let time = Timestamp(text: text) {
            precondition(Timestamp(text: time.text) == time, "a time is written as it was read")
        }
    }

    private static func request(to target: String, _ fields: HTTPFields = [:], _ body: String = "") -> Request {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: target, headerFields: fields)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    }

    // MARK: - Lists

    private static func parseListQuery(_ request: Request, as role: Role) {
        let person = Person(id: PersonID(rawValue: "p"), name: nil, role: role, creationTime: requestTime)
        guard let query = try? OrderListQuery(request, for: person, at: requestTime) else { return }
        precondition((1...BoardQuery.limitOfPage).contains(query.board.limit), "a page has a limit")
        for box in query.board.box?.normalized ?? [] {
            precondition(box.south <= box.north && box.west <= box.east, "a box has an area")
        }
        guard let cursor = query.board.after, let text = try? query.cursorText(cursor), text.utf8.count <= cursorLimit else { return }
        let copy = Self.request(to: "/orders?sort=\(name(of: query.board.sort))&after=\(text)")
        precondition(
            (try? OrderListQuery(copy, for: person, at: requestTime))?.board.after == cursor, "a cursor is written as it was read")
    }

    private static func name(of sort: BoardQuery.Sort) -> String {
        switch sort {
        case .id: "id"
        case .newest: "newest"
        case .price: "price"
        case .due: "due"
        case .distance(let place): "distance&near=\(place.latitude),\(place.longitude)"
        }
    }

    // MARK: - Commands

    private struct Action: Decodable {
        let at: String?
    }

    private static func parseCommand(_ request: Request) async {
        guard let command = try? await CommandRequest(request, at: requestTime) else { return }
        if let fence = try? command.fence() { precondition(fence.rawValue >= 0, "a fence is not negative") }
        if let version = try? command.version() { parseText(version.text) }
        if let action = try? command.body(as: Action.self), let time = try? command.actionTime(action.at) {
            precondition(time <= requestTime, "an action is in the past")
            parseText(time.text)
        }
        if let body = try? command.body(as: ContentBody.self), let content = try? body.content() {
            checkContent(content, externalID: body.externalId)
        }
    }

    /// Writes accepted content as the API does, and reads it again.
    private static func checkContent(_ content: OrderContent, externalID: String?) {
        let record = OrderRecord(
            id: 1, content: content, state: .open, version: OrderVersion(fence: Fence(rawValue: 0), eventCount: 1), holder: nil,
            heldSince: nil, leaseEnd: nil, deadline: nil, attempts: 0, openReports: 0, externalID: externalID)
        var json = JSONWriter(.unicode)
        json.object { OrderDocument(record: record, holder: nil, attention: []).write(to: &$0) }
        let copy = try? JSONDecoder().decode(ContentBody.self, from: Data(json.text.utf8))
        precondition((try? copy?.content()) == content, "an order that is sent back unchanged is accepted, and is the same")
        precondition(copy?.externalId == externalID, "an external id is written as it was read")
    }

    /// Waits for asynchronous work, as parsers of bodies are.
    private static func wait(for work: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task {
            await work()
            end.signal()
        }
        end.wait()
    }
}
