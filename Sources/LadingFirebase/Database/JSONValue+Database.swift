public import LadingHTTP

extension JSONValue {
    /// Applies the change of an event to this value, which then has the form that the database sends.
    ///
    /// Null and empty values are absent. An object of which all keys are integers is an array if at least half of those from 0 to the greatest exist.
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

    /// Writes a value at a path. The deletion of a child that does not exist preserves a value without children.
    private mutating func write(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first else { return self = value.rendered }
        var children = members
        var child = children[key] ?? .null
        child.write(value, at: path.dropFirst())
        guard child != .null || children[key] != nil else { return }
        children[key] = child == .null ? nil : child
        self = JSONValue(children: children)
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

    /// The value in the form that the database sends.
    package var rendered: JSONValue {
        switch self {
        case .array, .object: JSONValue(children: members.mapValues(\.rendered).filter { $0.value != .null })
        default: self
        }
    }

    /// Creates the value with these children, in the form that the database sends.
    private init(children: [String: JSONValue]) {
        if children.isEmpty {
            self = .null
        } else if let length = Self.arrayLength(of: children) {
            self = .array((0..<length).map { children["\($0)"] ?? .null })
        } else {
            self = .object(children)
        }
    }

    /// Returns the length of the array that the database sends for these children; nil if it sends an object.
    private static func arrayLength(of children: [String: JSONValue]) -> Int? {
        var greatest = 0
        for key in children.keys {
            guard let index = Int(key), index >= 0, "\(index)" == key else { return nil }
            greatest = max(greatest, index)
        }
        return greatest < 2 * children.count ? greatest + 1 : nil
    }
}
