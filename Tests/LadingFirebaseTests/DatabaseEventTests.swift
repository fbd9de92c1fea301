import LadingTesting
import Testing
@testable import LadingFirebase
@testable import LadingHTTP

@Suite struct DatabaseEventTests {
    @Test(
        arguments: [
            (ServerSentEvent(type: "put", data: #"{"path":"/","data":null}"#), DatabaseEvent.Signal.event(.put([], .null))),
            (
                ServerSentEvent(type: "put", data: #"{"path":"/a/b c","data":{"x":1}}"#),
                .event(.put(["a", "b c"], ["x": 1]))
            ),
            (ServerSentEvent(type: "patch", data: #"{"path":"/a","data":{"b/c":2}}"#), .event(.patch(["a"], ["b/c": 2]))),
            (ServerSentEvent(type: "keep-alive", data: "null"), .event(.keepAlive)),
            (ServerSentEvent(type: "cancel", data: "null"), .cancel(nil)),
            (ServerSentEvent(type: "cancel", data: #""Permission denied""#), .cancel("Permission denied")),
            (ServerSentEvent(type: "auth_revoked", data: #""Auth token is expired""#), .authRevoked("Auth token is expired")),
            (ServerSentEvent(type: "auth_revoked", data: "null"), .authRevoked("auth_revoked")),
            (ServerSentEvent(type: "rules_debug", data: "x"), .other),
        ])
    func `Stream events are decoded`(event: ServerSentEvent, expected: DatabaseEvent.Signal) throws {
        #expect(try DatabaseEvent.Signal(event) == expected)
    }

    @Test(arguments: ["", "null", #"{"path":"/"}"#, #"{"data":1}"#, #"{"path":1,"data":1}"#, "{"])
    func `A change without a path or data is rejected`(data: String) {
        #expect(throws: (any Error).self) { try DatabaseEvent.Signal(ServerSentEvent(type: "put", data: data)) }
        #expect(throws: (any Error).self) { try DatabaseEvent.Signal(ServerSentEvent(type: "patch", data: data)) }
    }

    @Test func `A change deeper than the maximum path depth is rejected`() throws {
        func change(_ type: String, _ path: Int, _ child: Int = 1) throws -> DatabaseEvent.Signal {
            let (path, child) = (String(repeating: "/a", count: path), String(repeating: "/b", count: child))
            return try DatabaseEvent.Signal(ServerSentEvent(type: type, data: #"{"path":"\#(path)/","data":{"\#(child)":1}}"#))
        }
        let limit = DatabasePath.depthLimit

        _ = try change("put", limit)
        _ = try change("patch", limit - 1)
        for (type, path, child) in [("put", limit + 1, 1), ("patch", limit, 1), ("patch", 0, limit + 1), ("put", 100_000, 1)] {
            #expect(throws: RealtimeDatabase.Failure.self) { try change(type, path, child) }
        }
    }

    @Test(
        arguments: [
            (JSONValue.null, DatabaseEvent.put([], ["a": 1]), JSONValue.object(["a": 1])),
            (["a": 1], .put(["b", "c"], 2), ["a": 1, "b": ["c": 2]]),
            (["a": ["b": 1]], .put(["a", "b"], .null), .null),
            (["a": ["b": 1], "c": 2], .put(["a"], .null), ["c": 2]),
            (["a": 1], .put(["a", "b"], 2), ["a": ["b": 2]]),
            (["a": 1], .put(["x"], ["y": .null, "z": [:]]), ["a": 1]),
            (["a": 1], .put(["a", "b"], .null), ["a": 1]),
            (["a": 1], .patch([], ["a/b": .null]), ["a": 1]),
            (["a": 1], .put(["b", "c"], .null), ["a": 1]),
            (["a": 1, "b": 2], .patch([], ["a": .null, "c": 3]), ["b": 2, "c": 3]),
            (["a": ["b": 1]], .patch(["a"], ["b": 2, "c/d": 3]), ["a": ["b": 2, "c": ["d": 3]]]),
            (["a": 1], .keepAlive, ["a": 1]),
            (["a": 1], .interrupted, ["a": 1]),
        ] as [(JSONValue, DatabaseEvent, JSONValue)])
    func `Applying an event updates the value`(old: JSONValue, event: DatabaseEvent, new: JSONValue) {
        var value = old

        value.apply(event)

        #expect(value == new)
    }

    @Test(
        arguments: [
            (["a": ["b", "c"]], .put(["a", "1"], "d"), ["a": ["b", "d"]]),
            (["b"], .put(["1", "x"], 2), ["b", ["x": 2]]),
            (.null, .put(["0"], "b"), ["b"]),
            (["b"], .put(["9"], "c"), ["0": "b", "9": "c"]),
            (["b", "c"], .put(["x"], "d"), ["0": "b", "1": "c", "x": "d"]),
            (["b", "c", "d"], .put(["0"], .null), [.null, "c", "d"]),
            (["b", "c"], .put(["1"], .null), ["b"]),
            (.null, .put([], [1, [:], .null]), [1]),
            (.null, .put([], [.null]), .null),
            (["0": "b", "9": "c"], .patch([], ["9": .null, "1": "d"]), ["b", "d"]),
        ] as [(JSONValue, DatabaseEvent, JSONValue)])
    func `A list that changes has the form that the database sends`(old: JSONValue, event: DatabaseEvent, new: JSONValue) {
        var value = old

        value.apply(event)

        #expect(value == new)
    }

    @Test(arguments: TestSeeds.seeds(count: 20)) func `A copy depends on the values that are left, not on earlier ones`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var copy = JSONValue.null
        var leaves: [[String]: Int] = [:]

        for number in 1...60 {
            var path: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) { path.append(["0", "1", "2", "5", "a"].randomElement(using: &random)!) }
            let isDeletion = Int.random(in: 0..<3, using: &random) == 0
            copy.apply(.put(path, isDeletion ? .null : .integer(number)))
            leaves = leaves.filter { leaf in !leaf.key.starts(with: path) && (isDeletion || !path.starts(with: leaf.key)) }
            if !isDeletion { leaves[path] = number }

            let rebuilt = leaves.reduce(into: JSONValue.null) { value, leaf in value.apply(.put(leaf.key, .integer(leaf.value))) }
            #expect(copy == rebuilt && copy == copy.rendered, "LADING_SEED=\(seed)")
        }
    }

    @Test(
        arguments: [
            ("null", JSONValue.null), ("true", true), ("0", 0), ("-7", -7), ("9223372036854775807", .integer(.max)), ("1.5", 1.5),
            ("\"\"", ""),
            (#"{"a":[1,null,"x"],"b":{}}"#, ["a": [1, .null, "x"], "b": [:]]),
        ] as [(String, JSONValue)])
    func `JSON survives a round trip`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(json: text.utf8) == value)
        #expect(value.text == text)
    }
}
