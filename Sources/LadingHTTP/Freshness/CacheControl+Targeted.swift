import HTTPTypes
import RawStructuredFieldValues

// Targeted fields such as `CDN-Cache-Control`, which apply to some caches only (RFC 9213).
extension CacheControl {
    /// Parses a targeted field of a response; nil for a missing, empty or invalid field, which is ignored (RFC 9213 §2.1).
    ///
    /// The syntax is that of structured fields, and stricter than that of `Cache-Control`: names are in lower case, numbers are not quoted, and the
    /// last of repeated directives counts. A known directive with an argument of the wrong type makes the field invalid, too.
    init?(_ target: HTTPField.Name, in headers: HTTPFields) {
        let lines = headers[values: target]
        guard !lines.isEmpty else { return nil }
        var parser = StructuredFieldValueParser(Array(lines.joined(separator: ", ").utf8))
        guard let members = try? parser.parseDictionaryFieldValue(), !members.isEmpty else { return nil }
        var arguments: [String: String?] = [:]
        for (name, value) in members {
            guard let argument = Self.argument(of: name, value) else { return nil }
            arguments[name] = .some(argument)
        }
        self.init(arguments: arguments, isTargeted: true)
    }

    /// The type of the argument of a response directive.
    private enum ArgumentKind {
        case flag, seconds
        /// None, or names of fields.
        case fields
    }

    /// The known response directives.
    private static let argumentKinds: [String: ArgumentKind] = [
        "max-age": .seconds, "s-maxage": .seconds, "stale-while-revalidate": .seconds, "stale-if-error": .seconds,
        "no-cache": .fields, "private": .fields,
        "no-store": .flag, "must-revalidate": .flag, "proxy-revalidate": .flag, "public": .flag, "must-understand": .flag,
        "immutable": .flag,
    ]

    /// Returns the argument as in `Cache-Control`; the outer nil for one of the wrong type. Parameters and unknown directives are ignored.
    private static func argument(of name: String, _ value: ItemOrInnerList) -> String?? {
        guard let kind = argumentKinds[name] else { return .some(nil) }
        guard case .item(let item) = value else { return nil }
        switch (kind, item.rfc9651BareItem) {
        case (.flag, .bool(true)), (.fields, .bool(true)): return .some(nil)
        case (.fields, .string(let names)), (.fields, .token(let names)): return names
        case (.seconds, .integer(let seconds)): return "\(seconds)"
        default: return nil
        }
    }
}
