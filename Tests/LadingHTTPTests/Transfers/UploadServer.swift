import Foundation
import LadingTesting
import Synchronization

/// A server that takes resumable uploads over a real socket, or does not, with accidents on order.
final class UploadServer: Sendable {
    struct State: Sendable {
        /// Whether it knows resumable uploads.
        var isResumable = true
        var limit = ""
        /// What has arrived, by resource; and what was finished, or put in one piece.
        var parts: [String: [UInt8]] = [:]
        var finished: [UInt8]?
        var deleted: [String] = []
        /// The numbers of those PATCH requests of which half is taken before it hangs up.
        var cuts: Set<Int> = []
        var patches = 0
        /// What happens when a part has come.
        var whenPatched: @Sendable (_ number: Int) -> Void = { _ in }
        var created = 0
    }

    private let state: SharedState
    private let server: ScriptedServer

    init(_ setUp: (inout State) -> Void = { _ in }) throws {
        var initial = State()
        setUp(&initial)
        let state = SharedState(initial)
        self.state = state
        server = try ScriptedServer { state.answer($0) }
    }

    var url: URL { server.url("/uploads/big") }
    var seen: State { state.state.withLock { $0 } }
    var methods: [String] { server.seen.requests.map(\.method) }
    var requests: [ReceivedRequest] { server.seen.requests }
    func change(_ body: (inout State) -> Void) { state.state.withLock { body(&$0) } }
    func until(_ isTold: @escaping @Sendable (ScriptedServer.Log) -> Bool) async throws { try await server.until(isTold) }
    func stop() { server.stop() }
}

private final class SharedState: Sendable {
    let state: Mutex<UploadServer.State>

    init(_ state: UploadServer.State) {
        self.state = Mutex(state)
    }

    func answer(_ request: ReceivedRequest) -> [ScriptedServer.Step] {
        let (steps, number, told) = state.withLock { state in (Self.answer(request, &state), state.patches, state.whenPatched) }
        if request.method == "PATCH" { told(number) }
        return steps
    }

    private static func reply(_ status: String, _ fields: String...) -> ScriptedServer.Step {
        let length = status.hasPrefix("204") ? [] : ["Content-Length: 0"]
        return .send("HTTP/1.1 \(status)\r\n" + (fields + length).map { $0 + "\r\n" }.joined() + "\r\n")
    }

    private static func answer(_ request: ReceivedRequest, _ state: inout UploadServer.State) -> [ScriptedServer.Step] {
        switch request.method {
        case "OPTIONS" where state.isResumable:
            return [reply("204 No Content", "Accept-Patch: application/partial-upload", "Upload-Limit: \(state.limit)")]
        case "POST" where state.isResumable:
            state.created += 1
            let name = "/parts/\(state.created)"
            state.parts[name] = request.body
            return [reply("201 Created", "Location: \(name)", "Upload-Complete: ?0")]
        case "PUT":
            state.finished = request.body
            return [reply("201 Created")]
        case "DELETE":
            state.parts[request.target] = nil
            state.deleted.append(request.target)
            return [reply("204 No Content")]
        case "HEAD":
            guard let part = state.parts[request.target] else { return [reply("404 Not Found")] }
            return [reply("204 No Content", "Upload-Offset: \(part.count)", "Upload-Complete: ?0")]
        case "PATCH": return patch(request, &state)
        default: return [reply("405 Method Not Allowed")]
        }
    }

    private static func patch(_ request: ReceivedRequest, _ state: inout UploadServer.State) -> [ScriptedServer.Step] {
        state.patches += 1
        guard let part = state.parts[request.target] else { return [reply("404 Not Found")] }
        guard request["Upload-Offset"] == "\(part.count)" else { return [reply("409 Conflict", "Upload-Offset: \(part.count)")] }
        if state.cuts.contains(state.patches) {
            state.parts[request.target] = part + request.body.prefix(request.body.count / 2)
            // In the middle of a reply: without any, a client may take the connection for stale and quietly ask again.
            return [.send("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno"), .hangUp]
        }
        state.parts[request.target] = part + request.body
        guard request["Upload-Complete"] == "?1" else { return [reply("204 No Content", "Upload-Complete: ?0")] }
        state.finished = state.parts[request.target]
        return [reply("201 Created", "Upload-Complete: ?1")]
    }
}
