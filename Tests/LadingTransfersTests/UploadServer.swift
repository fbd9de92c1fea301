import Foundation
import ScriptedServers
import Synchronization

/// A server with or without resumable uploads over a real socket, with faults on demand.
final class UploadServer: Sendable {
    struct State: Sendable {
        /// Whether the server supports resumable uploads.
        var isResumable = true
        var limit = ""
        /// The statuses with which it refuses the first `OPTIONS` requests.
        var refusals: [String] = []
        /// The received bytes by resource, and those of a completed or whole upload.
        var parts: [String: [UInt8]] = [:]
        var finished: [UInt8]?
        var deleted: [String] = []
        /// The numbers of the PATCH requests of which it stores half before it closes the connection.
        var interruptedPatches: Set<Int> = []
        var patches = 0
        /// Called after each PATCH request, with its number.
        var onPatch: @Sendable (_ number: Int) -> Void = { _ in }
        var created = 0
    }

    private let state: SharedState
    private let server: ScriptedServer

    init(_ initialize: (inout State) -> Void = { _ in }) throws {
        var initial = State()
        initialize(&initial)
        let state = SharedState(initial)
        self.state = state
        server = try ScriptedServer { state.response(to: $0) }
    }

    var url: URL { server.url("/uploads/big") }
    var seen: State { state.state.withLock { $0 } }
    var methods: [String] { server.log.requests.map(\.method) }
    var requests: [ReceivedRequest] { server.log.requests }
    func change(_ body: (inout State) -> Void) { state.state.withLock { body(&$0) } }
    func until(_ predicate: @escaping @Sendable (ScriptedServer.Log) -> Bool) async throws { try await server.wait(until: predicate) }
    func stop() { server.stop() }
}

private final class SharedState: Sendable {
    let state: Mutex<UploadServer.State>

    init(_ state: UploadServer.State) {
        self.state = Mutex(state)
    }

    func response(to request: ReceivedRequest) -> [ScriptedServer.Step] {
        let (steps, number, onPatch) = state.withLock { state in (Self.response(to: request, &state), state.patches, state.onPatch) }
        if request.method == "PATCH" { onPatch(number) }
        return steps
    }

    private static func response(_ status: String, _ fields: String...) -> ScriptedServer.Step {
        let length = status.hasPrefix("204") ? [] : ["Content-Length: 0"]
        return .send("HTTP/1.1 \(status)\r\n" + (fields + length).map { $0 + "\r\n" }.joined() + "\r\n")
    }

    private static func response(to request: ReceivedRequest, _ state: inout UploadServer.State) -> [ScriptedServer.Step] {
        switch request.method {
        case "OPTIONS" where !state.refusals.isEmpty: return [response(state.refusals.removeFirst())]
        case "OPTIONS" where state.isResumable:
            return [response("204 No Content", "Accept-Patch: application/partial-upload", "Upload-Limit: \(state.limit)")]
        case "POST" where state.isResumable:
            state.created += 1
            let name = "/parts/\(state.created)"
            state.parts[name] = request.body
            return [response("201 Created", "Location: \(name)", "Upload-Complete: ?0")]
        case "PUT":
            state.finished = request.body
            return [response("201 Created")]
        case "DELETE":
            state.parts[request.target] = nil
            state.deleted.append(request.target)
            return [response("204 No Content")]
        case "HEAD":
            guard let part = state.parts[request.target] else { return [response("404 Not Found")] }
            return [response("204 No Content", "Upload-Offset: \(part.count)", "Upload-Complete: ?0")]
        case "PATCH": return patch(request, &state)
        default: return [response("405 Method Not Allowed")]
        }
    }

    private static func patch(_ request: ReceivedRequest, _ state: inout UploadServer.State) -> [ScriptedServer.Step] {
        state.patches += 1
        guard let part = state.parts[request.target] else { return [response("404 Not Found")] }
        guard request["Upload-Offset"] == "\(part.count)" else { return [response("409 Conflict", "Upload-Offset: \(part.count)")] }
        if state.interruptedPatches.contains(state.patches) {
            state.parts[request.target] = part + request.body.prefix(request.body.count / 2)
            // The connection closes within a response: without one, a client may consider it stale and silently repeat the request.
            return [.send("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno"), .close]
        }
        state.parts[request.target] = part + request.body
        guard request["Upload-Complete"] == "?1" else { return [response("204 No Content", "Upload-Complete: ?0")] }
        state.finished = state.parts[request.target]
        return [response("201 Created", "Upload-Complete: ?1")]
    }
}
