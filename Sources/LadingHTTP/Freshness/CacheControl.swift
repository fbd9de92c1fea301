import HTTPFieldValues
import HTTPTypes

/// The directives of `Cache-Control`, or of the targeted field of a response that overrides it (RFC 9111 §5.2, RFC 9213).
///
/// The first of repeated directives in `Cache-Control` counts; an invalid number of seconds counts as zero, so that the response is stale (§4.2.1).
/// Names are case-insensitive, arguments may be quoted, and unknown directives are ignored.
struct CacheControl: Hashable {
    private var arguments: [String: String?]
    /// Whether the directives are from a targeted field, which overrides `Expires` as well as `Cache-Control`.
    let isTargeted: Bool

    init(arguments: [String: String?], isTargeted: Bool) {
        self.arguments = arguments
        self.isTargeted = isTargeted
    }

    /// Parses `Cache-Control` itself.
    init(_ headers: HTTPFields) {
        self.init(arguments: [:], isTargeted: false)
        for member in headers.members(of: .cacheControl) {
            let (name, argument) = Self.directive(member)
            if arguments[name] == nil { arguments[name] = .some(argument) }
        }
    }

    /// Splits a directive at its equals sign: a space before it is part of the name, and one after it part of the argument.
    private static func directive(_ member: Substring) -> (name: String, argument: String?) {
        guard let equals = member.firstIndex(of: "=") else { return (member.lowercased(), nil) }
        return (member[..<equals].lowercased(), FieldList.withoutQuotes(member[member.index(after: equals)...]) ?? "")
    }

    var isEmpty: Bool { arguments.isEmpty }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Returns the seconds of a directive; 0 when they are invalid, nil without the directive.
    func seconds(_ name: String) -> Int? {
        guard let argument = arguments[name] else { return nil }
        return argument.flatMap { DeltaSeconds.parse($0) } ?? 0
    }

    /// The maximum staleness in seconds that a request accepts (§5.2.1.2), unlimited without an argument; nil without the directive.
    var maxStale: Int? {
        guard let argument = arguments["max-stale"] else { return nil }
        return argument == nil ? DeltaSeconds.maximum : seconds("max-stale")
    }

    /// Returns whether a directive applies to the whole response, and not only to the fields that it lists (§5.2.2.4, §5.2.2.7).
    func hasUnqualified(_ name: String) -> Bool {
        guard let argument = arguments[name] else { return false }
        return argument?.isEmpty ?? true
    }

    /// Returns the header fields that a directive is limited to.
    func fields(of name: String) -> [HTTPField.Name] {
        guard case .some(.some(let argument)) = arguments[name] else { return [] }
        return FieldList.members(argument).compactMap { HTTPField.Name(String($0)) }
    }
}
