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
    let query: [String: String]
    /// The ID token with which it was opened.
    let token: String?
    private let state = Mutex(State())
    /// The value last sent to the client.
    private let lastValue: Mutex<JSONValue>

    init(_ path: [String], _ request: FirebaseRequest, of tree: FirebaseTree) {
        self.path = path
        query = request.query
        token = request.query["auth"]
        let value = Self.selected(tree.value(at: path), by: request.query)
        lastValue = Mutex(value)
        send("put", ["path": "/", "data": value.rendered])
    }

    func send(_ type: String, _ data: JSONValue) {
        let text = EventStreamText.event(type, data: data.text)
        state.withLock { $0.bytes += Self.chunk(text) }
    }

    /// Ends the stream between two chunks, which the client observes as a broken connection.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Sends a change if it affects the stream's value.
    func send(_ change: FirebaseTree.Change, in tree: FirebaseTree) {
        let now = Self.selected(tree.value(at: path), by: query)
        let hasChanged = lastValue.withLock { lastValue in
            defer { lastValue = now }
            return lastValue != now
        }
        guard hasChanged else { return }
        let isBelow = change.path.starts(with: path) && (try? FirebaseQuery(query)) == nil
        guard isBelow else { return send("put", ["path": "/", "data": now.rendered]) }
        let relative = "/" + change.path.dropFirst(path.count).joined(separator: "/")
        if let children = change.children {
            send("patch", ["path": .string(relative), "data": .object(children.mapValues(\.rendered))])
        } else {
            send("put", ["path": .string(relative), "data": change.value.rendered])
        }
    }

    private static func selected(_ value: JSONValue, by query: [String: String]) -> JSONValue {
        (try? FirebaseQuery(query))?.applied(to: value) ?? value
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
