import ContentCoding
import Foundation

/// A language range of a request with its quality value (RFC 9110 §12.5.4).
struct LanguageRange: Equatable {
    /// The maximum number of ranges read from one field; further ranges are ignored.
    static let limit = 32

    /// The range in lower case: `de`, `de-at`, or `*` for every language that no other range names.
    let tag: String
    let quality: QualityValue

    /// Returns the ranges of an `Accept-Language` field in order, without invalid ones.
    static func ranges(in field: String) -> [LanguageRange] {
        field.lowercased().split(separator: ",").prefix(limit).compactMap { LanguageRange($0) }
    }

    private init?(_ element: Substring) {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let tag = parts.first, Self.isTag(tag) else { return nil }
        self.tag = tag
        switch parts.count {
        case 1: quality = .highest
        case 2:
            guard let quality = QualityValue(Substring(parts[1])) else { return nil }
            self.quality = quality
        default: return nil
        }
    }

    /// Whether a text is a language range: subtags of one to eight letters and digits, separated by hyphens (RFC 4647 §2.1).
    private static func isTag(_ text: String) -> Bool {
        if text == "*" { return true }
        return text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { subtag in
            (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}

extension Language {
    /// Creates the language that an `Accept-Language` field prefers; the fallback if it accepts none.
    ///
    /// A range is shortened until it matches a language (RFC 4647 §3.4): `de-AT` matches German, `ar-EG` Arabic. `zh` and all ranges that
    /// begin with it, including `zh-CN` and `zh-Hans`, match Traditional Chinese, the only available variant. Among languages of equal
    /// quality the first one in the field wins.
    init(preferredBy field: String?) {
        let ranges = LanguageRange.ranges(in: field ?? "")
        func preference(for language: Language) -> (quality: QualityValue, place: Int) {
            var named = ranges.indices.filter { ranges[$0].tag.prefix { $0 != "-" } == language.primarySubtag }
            if named.isEmpty { named = ranges.indices.filter { ranges[$0].tag == "*" } }
            let best = named.max { (ranges[$0].quality, $1) < (ranges[$1].quality, $0) }
            return best.map { (ranges[$0].quality, $0) } ?? (QualityValue.unacceptable, ranges.count)
        }
        var (choice, highest) = (Self.fallback, preference(for: .fallback))
        for language in Self.allCases {
            let preference = preference(for: language)
            let isEqual = preference.quality == highest.quality
            guard preference.quality > highest.quality || isEqual && preference.place < highest.place else { continue }
            if preference.quality > .unacceptable { (choice, highest) = (language, preference) }
        }
        self = choice
    }

    /// The primary language subtag, without script and region (RFC 5646 §2.2.1).
    private var primarySubtag: Substring { tag.prefix { $0 != "-" } }
}
