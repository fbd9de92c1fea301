import LadingHTTP
import ScriptedServers
import Synchronization

/// An event stream of a `FirebaseServer` to one client.
final class FirebaseStream: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    let path: [String]
    private let query: FirebaseQuery?
    /// The ID token with which it was opened.
    let token: String?
    private let state = Mutex(State())
    /// The value last sent to the client.
    private let lastValue: Mutex<JSONValue>

    init(_ path: [String], _ request: FirebaseRequest, of tree: FirebaseTree) {
        self.path = path
        query = try? FirebaseQuery(request.query)
        token = request.query["auth"]
        let value = tree.value(at: path, selectedBy: query)
        lastValue = Mutex(value)
        send("put", ["path": "/", "data": value])
    }

    func send(_ type: String, _ data: JSONValue) {
        let text = EventStreamText.event(type, data: data.text)
        state.withLock { $0.bytes += Self.chunk(text) }
    }

    /// Ends the stream between two chunks, which the client observes as a broken connection.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Sends a change if it affects the stream's value.
    func send(_ change: FirebaseTree.Change, in tree: FirebaseTree) {
        let now = tree.value(at: path, selectedBy: query)
        let hasChanged = lastValue.withLock { lastValue in
            defer { lastValue = now }
            return lastValue != now
        }
        guard hasChanged else { return }
        guard change.path.starts(with: path), query == nil else { return send("put", ["path": "/", "data": now]) }
        let relative = "/" + change.path.dropFirst(path.count).joined(separator: "/")
        if let children = change.children {
            send("patch", ["path": .string(relative), "data": .object(children)])
        } else {
            send("put", ["path": .string(relative), "data": change.value])
        }
    }

    func next() -> ScriptedServer.ByteSource.Piece {
        state.withLock { state in
            guard !state.bytes.isEmpty else { return state.hasEnded ? .end : .idle }
            defer { state.bytes = [] }
            return .bytes(state.bytes)
        }
    }

    private static func chunk(_ text: String) -> [UInt8] {
        Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8)
    }
}
