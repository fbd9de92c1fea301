import HTTPTypes

/// What `Cache-Control` says, or in a reply the field that takes its place (RFC 9111 §5.2, RFC 9213).
///
/// Of a directive of `Cache-Control` that is there twice the first counts; a number of seconds that is none counts as zero, so that the reply is stale (§4.2.1).
/// Names are compared without case, arguments may be quoted, and what is not known is left alone.
struct CacheControl: Hashable {
    private var arguments: [String: String?]
    /// Whether a targeted field says it, so that `Expires` counts as little as `Cache-Control`.
    let isTargeted: Bool

    init(arguments: [String: String?], isTargeted: Bool) {
        self.arguments = arguments
        self.isTargeted = isTargeted
    }

    /// What `Cache-Control` itself says.
    init(_ headers: HTTPFields) {
        self.init(arguments: [:], isTargeted: false)
        for member in headers.members(of: .cacheControl) {
            let (name, argument) = Self.directive(member)
            if arguments[name] == nil { arguments[name] = .some(argument) }
        }
    }

    /// The name ends at the equals sign: a space before it makes another name of it, and one after it another argument.
    private static func directive(_ member: Substring) -> (name: String, argument: String?) {
        guard let equals = member.firstIndex(of: "=") else { return (member.lowercased(), nil) }
        return (member[..<equals].lowercased(), FieldList.unquoted(member[member.index(after: equals)...]) ?? "")
    }

    var isEmpty: Bool { arguments.isEmpty }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// The seconds of a directive; 0 when they cannot be read, nil when it is not there.
    func seconds(_ name: String) -> Int? {
        guard let argument = arguments[name] else { return nil }
        return argument.flatMap { DeltaSeconds.parse($0) } ?? 0
    }

    /// The seconds by which a reply may be stale (§5.2.1.2): any number when the directive has no argument.
    var maxStale: Int? {
        guard let argument = arguments["max-stale"] else { return nil }
        return argument == nil ? DeltaSeconds.maximum : seconds("max-stale")
    }

    /// Whether a directive holds for the whole reply, and not for the fields that it lists (§5.2.2.4, §5.2.2.7).
    func hasUnqualified(_ name: String) -> Bool {
        guard let argument = arguments[name] else { return false }
        return argument?.isEmpty ?? true
    }

    /// The header fields that a directive is limited to.
    func fields(of name: String) -> [HTTPField.Name] {
        guard case .some(.some(let argument)) = arguments[name] else { return [] }
        return FieldList.members(argument).compactMap { HTTPField.Name(String($0)) }
    }
}
