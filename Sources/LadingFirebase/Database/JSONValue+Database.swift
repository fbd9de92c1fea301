public import LadingHTTP

extension JSONValue {
    /// Applies the change of an event to this value.
    public mutating func apply(_ event: DatabaseEvent) {
        switch event {
        case .put(let path, let value): write(value, at: path[...])
        case .patch(let path, let children):
            for (key, value) in children { write(value, at: (path + DatabasePath.keys(of: key))[...]) }
        case .keepAlive, .interrupted: break
        }
    }

    /// Returns the value at a path below; null when there is none.
    public func value(at path: some Sequence<String>) -> JSONValue {
        path.reduce(self) { value, key in value.members[key] ?? .null }
    }

    /// Writes a value at a path. As in the database, null and empty values are absent.
    private mutating func write(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first else { return self = value.withoutNulls }
        var members = members
        var member = members[key] ?? .null
        member.write(value, at: path.dropFirst())
        members[key] = member == .null ? nil : member
        self = members.isEmpty ? .null : .object(members)
    }

    /// The children of the value; those of an array have its indices as keys.
    package var members: [String: JSONValue] {
        switch self {
        case .object(let members): members
        case .array(let values):
            Dictionary(uniqueKeysWithValues: values.enumerated().filter { $1 != .null }.map { ("\($0)", $1) })
        default: [:]
        }
    }

    private var withoutNulls: JSONValue {
        switch self {
        case .object(let members):
            let nonNullMembers = members.mapValues(\.withoutNulls).filter { $0.value != .null }
            return nonNullMembers.isEmpty ? .null : .object(nonNullMembers)
        case .array(let values): return values.isEmpty ? .null : .array(values.map(\.withoutNulls))
        default: return self
        }
    }
}
