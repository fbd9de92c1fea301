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

    private(set) var value = JSONValue.null
    private var keyCount = 0

    func value(at path: [String]) -> JSONValue { value.value(at: path) }

    // MARK: Routes

    /// Responds to a read, except for streams.
    func read(_ request: FirebaseRequest, at path: [String]) -> FirebaseResponse {
        do {
            var found = value(at: path)
            if let selection = try FirebaseQuery(request.query) { found = selection.applied(to: found) }
            if request.query["shallow"] == "true", case .object(let members) = found { found = .object(members.mapValues { _ in true }) }
            return .json(found.rendered, fields: request["X-Firebase-ETag"] == "true" ? [("ETag", Self.tag(of: found))] : [])
        } catch {
            return .databaseError(.badRequest, error.reason)
        }
    }

    /// Responds to a write, and returns the change.
    mutating func write(_ request: FirebaseRequest, at path: [String], now: Date) -> (FirebaseResponse, Change?) {
        let old = value(at: path)
        if let tag = request["if-match"], tag != "*" {
            guard ["PUT", "DELETE"].contains(request.method) else {
                return (.databaseError(.badRequest, "if-match is not supported here"), nil)
            }
            guard tag == Self.tag(of: old) else {
                return (.json(old.rendered, status: .preconditionFailed, fields: [("ETag", Self.tag(of: old))]), nil)
            }
        }
        guard request.method != "DELETE" else { return (writeResponse(to: request, .null, at: path), set(.null, at: path, now)) }
        guard let new = try? JSONValue(json: request.body) else {
            return (.databaseError(.badRequest, "Invalid data; couldn't parse JSON object, array, or value."), nil)
        }
        switch (request.method, new) {
        case ("PUT", _):
            let change = set(new, at: path, now)
            return (writeResponse(to: request, change.value, at: path), change)
        case ("POST", _):
            let key = makeKey()
            return (.json(["name": .string(key)]), set(new, at: path + [key], now))
        case ("PATCH", .object(let children)):
            let change = merge(children, at: path, now)
            return (writeResponse(to: request, .object(change.children ?? [:]), at: path), change)
        case ("PATCH", _): return (.databaseError(.badRequest, "Invalid data; couldn't parse key beginning at 1:1."), nil)
        default: return (.databaseError(.methodNotAllowed, "Method not allowed"), nil)
        }
    }

    private func writeResponse(to request: FirebaseRequest, _ written: JSONValue, at path: [String]) -> FirebaseResponse {
        guard request.query["print"] != "silent" else { return FirebaseResponse(status: .noContent) }
        let current = request.method == "DELETE" ? .null : written
        let wantsTag = request["if-match"] != nil || request["X-Firebase-ETag"] == "true"
        return .json(current.rendered, fields: wantsTag ? [("ETag", Self.tag(of: current))] : [])
    }

    // MARK: Writing

    mutating func set(_ new: JSONValue, at path: [String], _ now: Date) -> Change {
        let resolved = Self.resolved(new, over: value(at: path), now)
        value.apply(.put(path, resolved))
        return Change(path: path, value: value(at: path))
    }

    private mutating func merge(_ children: [String: JSONValue], at path: [String], _ now: Date) -> Change {
        var written: [String: JSONValue] = [:]
        for (key, new) in children {
            written[key] = set(new, at: path + key.split(separator: "/").map(String.init), now).value
        }
        return Change(path: path, value: value(at: path), children: written)
    }

    /// Replaces the server values in a value.
    private static func resolved(_ new: JSONValue, over old: JSONValue, _ now: Date) -> JSONValue {
        guard case .object(let members) = new else { return new }
        switch members[".sv"] {
        case .string("timestamp"): return .integer(Int(now.timeIntervalSince1970 * 1_000))
        case let operation?: return sum(old, operation["increment"] ?? .null)
        case nil: return .object(Dictionary(uniqueKeysWithValues: members.map { ($0, resolved($1, over: old[$0] ?? .null, now)) }))
        }
    }

    private static func sum(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): .integer(left + right)
        case (.number(let left), .integer(let right)): .number(left + Double(right))
        default: right
        }
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

extension JSONValue {
    /// The value as the database sends it: an object of which all keys are integers is an array if at least half of those from 0 to the greatest exist.
    var rendered: JSONValue {
        let children = members.mapValues(\.rendered)
        guard !children.isEmpty else { return self }
        let indices = children.keys.compactMap { key in Int(key).flatMap { $0 >= 0 && "\($0)" == key ? $0 : nil } }
        guard let last = indices.max(), indices.count == children.count, last < 2 * children.count else { return .object(children) }
        return .array((0...last).map { children["\($0)"] ?? .null })
    }
}
