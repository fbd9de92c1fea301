import Foundation
import HTTPTypes
import ScriptedServers
import Synchronization

/// A server of one file over a real socket, with ranges and validators, and with faults on demand.
final class FileServer: Sendable {
    struct Settings: Sendable {
        var bytes: [UInt8]
        var tag: String? = "\"one\""
        var supportsRanges = true
        /// The numbers of bytes after which it closes the connection, one per response.
        var hangUpOffsets: [Int] = []
        /// The numbers of bytes after which it waits for `proceed()`, one per response.
        var pauses: [Int] = []
        /// The statuses of the first responses.
        var statuses: [Int] = []
        var fields: [String] = []
    }

    private let shared: SharedSettings
    private let server: ScriptedServer

    init(_ settings: Settings) throws {
        let shared = SharedSettings(settings)
        self.shared = shared
        server = try ScriptedServer { shared.response(to: $0) }
    }

    var url: URL { server.url("/files/big") }

    /// The `Range` of each request; "-" where there was none.
    var ranges: [String] { server.log.requests.map { $0["Range"] ?? "-" } }
    var requests: [ReceivedRequest] { server.log.requests }

    func change(_ body: (inout Settings) -> Void) { shared.state.withLock { body(&$0) } }
    func proceed() { server.resume() }
    func stop() { server.stop() }
    func until(_ predicate: @escaping @Sendable (ScriptedServer.Log) -> Bool) async throws { try await server.wait(until: predicate) }
}

private final class SharedSettings: Sendable {
    let state: Mutex<FileServer.Settings>

    init(_ settings: FileServer.Settings) {
        state = Mutex(settings)
    }

    func response(to request: ReceivedRequest) -> [ScriptedServer.Step] {
        state.withLock { state in
            if !state.statuses.isEmpty {
                return [.send("HTTP/1.1 \(state.statuses.removeFirst()) No\r\nContent-Length: 0\r\n\r\n")]
            }
            let start = start(of: request, state)
            if start > 0, start >= state.bytes.count {
                return [.send("HTTP/1.1 416 No\r\nContent-Range: bytes */\(state.bytes.count)\r\nContent-Length: 0\r\n\r\n")]
            }
            let body = Array(state.bytes[start...])
            var head = start > 0 ? "HTTP/1.1 206 Part\r\n" : "HTTP/1.1 200 OK\r\n"
            head += "Content-Length: \(body.count)\r\n"
            if start > 0 { head += "Content-Range: bytes \(start)-\(state.bytes.count - 1)/\(state.bytes.count)\r\n" }
            if let tag = state.tag { head += "ETag: \(tag)\r\n" }
            head += state.fields.map { "\($0)\r\n" }.joined() + "\r\n"
            if !state.hangUpOffsets.isEmpty {
                return [.send(head), .send(Array(body.prefix(state.hangUpOffsets.removeFirst()))), .close]
            }
            if !state.pauses.isEmpty {
                let count = state.pauses.removeFirst()
                return [.send(head), .send(Array(body.prefix(count))), .pause, .send(Array(body.dropFirst(count)))]
            }
            return [.send(head), .send(body)]
        }
    }

    private func start(of request: ReceivedRequest, _ state: FileServer.Settings) -> Int {
        guard state.supportsRanges, let range = request["Range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return 0 }
        if let condition = request["If-Range"], condition != state.tag { return 0 }
        return Int(range.dropFirst(6).dropLast()) ?? 0
    }
}
