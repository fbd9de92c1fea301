import HTTPTypes
import RawStructuredFieldValues

// Fields like `CDN-Cache-Control`, which speak to some caches alone (RFC 9213).
extension CacheControl {
    /// What a targeted field of a reply says; nil when it is as if it were not there (RFC 9213 §2.1).
    ///
    /// That is also so when it says nothing, or breaks the rules.
    ///
    /// The rules are those of structured fields, and stricter than those of `Cache-Control`: names are in lower case, numbers are not quoted, of a directive
    /// that is there twice the last counts. A directive that is known here and has an argument of a kind which it cannot have breaks them, too.
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

    /// What a directive of a reply may have as its argument.
    private enum ArgumentKind {
        case flag, seconds
        /// Nothing, or names of fields.
        case fields
    }

    /// The directives of replies that are known here.
    private static let argumentKinds: [String: ArgumentKind] = [
        "max-age": .seconds, "s-maxage": .seconds, "stale-while-revalidate": .seconds, "stale-if-error": .seconds,
        "no-cache": .fields, "private": .fields,
        "no-store": .flag, "must-revalidate": .flag, "proxy-revalidate": .flag, "public": .flag, "must-understand": .flag,
        "immutable": .flag,
    ]

    /// The argument as `Cache-Control` would have it; the outer nil for one of a wrong kind. Parameters, and what is not known, are left alone.
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
