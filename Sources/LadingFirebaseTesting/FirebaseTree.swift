import Foundation
import HTTPTypes
import LadingFirebase
import LadingHTTP

/// The Realtime Database of a `FirebaseServer`, with its REST interface.
struct FirebaseTree {
    /// A change of the database.
    struct Change {
        var path: [String]
        var value: JSONValue
        /// The written children of a partial update; nil when the whole value was replaced.
        var children: [String: JSONValue]?
    }

    /// The value of the root, in the form that the database sends.
    private(set) var value = JSONValue.null
    /// The priorities of the values that have one, by their paths.
    private var priorities: [[String]: JSONValue] = [:]
    private var keyCount = 0

    /// Returns the value at a path, or those of its children that a query selects.
    func value(at path: [String], selectedBy query: FirebaseQuery? = nil) -> JSONValue {
        let found = value.value(at: path)
        guard let query else { return found }
        return query.applied(to: found) { key in priorities[path + [key]] ?? .null }
    }

    // MARK: Routes

    /// Responds to a read, except for streams.
    func read(_ request: FirebaseRequest, at path: [String]) -> FirebaseResponse {
        do {
            let query = try FirebaseQuery(request.query)
            var found = value(at: path, selectedBy: query)
            let members = found.members
            if request.query["shallow"] == "true", !members.isEmpty { found = JSONValue.object(members.mapValues { _ in true }).rendered }
            return .json(found, fields: request["X-Firebase-ETag"] == "true" ? [("ETag", Self.tag(of: found))] : [])
        } catch {
            return .databaseError(.badRequest, error.reason)
        }
    }

    /// Responds to a write, and returns the change.
    mutating func write(_ request: FirebaseRequest, at path: [String], now: Date) -> (FirebaseResponse, Change?) {
        if let failure = failedCondition(of: request, at: path) { return (failure, nil) }
        do {
            return try performWrite(request, at: path, now)
        } catch {
            return (.databaseError(.badRequest, error.reason), nil)
        }
    }

    /// Returns the response to a conditional write that must not be performed; nil to perform it.
    private func failedCondition(of request: FirebaseRequest, at path: [String]) -> FirebaseResponse? {
        guard let tag = request["if-match"], tag != "*" else { return nil }
        guard ["PUT", "DELETE"].contains(request.method) else { return .databaseError(.badRequest, "if-match is not supported here") }
        let old = value(at: path)
        guard tag != Self.tag(of: old) else { return nil }
        return .json(old, status: .preconditionFailed, fields: [("ETag", Self.tag(of: old))])
    }

    private mutating func performWrite(_ request: FirebaseRequest, at path: [String], _ now: Date) throws(FirebaseContent.InvalidData)
        -> (FirebaseResponse, Change?)
    {
        guard request.method != "DELETE" else {
            let change = try set(.null, at: path, now)
            return (writeResponse(to: request, .null), change)
        }
        guard let data = try? JSONValue(json: request.body) else {
            throw FirebaseContent.InvalidData(reason: "Invalid data; couldn't parse JSON object, array, or value.")
        }
        switch (request.method, data) {
        case ("PUT", _):
            let change = try set(data, at: path, now)
            return (writeResponse(to: request, change.value), change)
        case ("POST", _):
            let key = makeKey()
            let change = try set(data, at: path + [key], now)
            return (.json(["name": .string(key)]), change)
        case ("PATCH", .object(let children)):
            let change = try merge(children, at: path, now)
            return (writeResponse(to: request, .object(change.children ?? [:])), change)
        case ("PATCH", _): throw FirebaseContent.InvalidData(reason: "Invalid data; couldn't parse key beginning at 1:1.")
        default: return (.databaseError(.methodNotAllowed, "Method not allowed"), nil)
        }
    }

    private func writeResponse(to request: FirebaseRequest, _ written: JSONValue) -> FirebaseResponse {
        guard request.query["print"] != "silent" else { return FirebaseResponse(status: .noContent) }
        let wantsTag = request["if-match"] != nil || request["X-Firebase-ETag"] == "true"
        return .json(written, fields: wantsTag ? [("ETag", Self.tag(of: written))] : [])
    }

    // MARK: Writing

    /// Replaces the value at a path.
    ///
    /// - Throws: `FirebaseContent.InvalidData`, and then changes nothing.
    mutating func set(_ data: JSONValue, at path: [String], _ now: Date) throws(FirebaseContent.InvalidData) -> Change {
        let content = try FirebaseContent(data, at: path, over: value(at: path), now: now)
        store(content)
        return Change(path: path, value: value(at: path))
    }

    private mutating func merge(_ children: [String: JSONValue], at path: [String], _ now: Date) throws(FirebaseContent.InvalidData)
        -> Change
    {
        var contents: [String: FirebaseContent] = [:]
        for (key, data) in children {
            let place = path + DatabasePath.keys(of: key)
            guard place != path else { throw FirebaseContent.InvalidData(reason: "Invalid data; the key of a child is empty.") }
            contents[key] = try FirebaseContent(data, at: place, over: value(at: place), now: now)
        }
        guard !Self.overlap(contents.values.map(\.path)) else {
            throw FirebaseContent.InvalidData(reason: "Invalid data; a path in an update is an ancestor of another one.")
        }
        for content in contents.values { store(content) }
        return Change(path: path, value: value(at: path), children: contents.mapValues { value(at: $0.path) })
    }

    /// Whether one of the paths equals another or leads below it.
    private static func overlap(_ paths: [[String]]) -> Bool {
        // A path sorts directly before those below it.
        let sorted = paths.sorted { $0.lexicographicallyPrecedes($1) }
        return zip(sorted, sorted.dropFirst()).contains { $1.starts(with: $0) }
    }

    private mutating func store(_ content: FirebaseContent) {
        value.apply(.put(content.path, content.value))
        priorities = priorities.filter { !$0.key.starts(with: content.path) }.merging(content.priorities) { _, new in new }
        // A value that was removed has no priority.
        for path in priorities.keys where value(at: path) == .null { priorities[path] = nil }
    }

    /// Returns a key of twenty characters; keys sort in order of creation.
    private mutating func makeKey() -> String {
        keyCount += 1
        let digits = String(keyCount)
        return "-" + String(repeating: "0", count: 19 - digits.count) + digits
    }

    /// Returns the entity tag of a value: a digest of its document (FNV-1a).
    static func tag(of value: JSONValue) -> String {
        guard value != .null else { return DatabaseVersion.Tag.missing.text }
        let digest = value.text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Data(withUnsafeBytes(of: digest.bigEndian) { Array($0) }).base64EncodedString()
    }
}
