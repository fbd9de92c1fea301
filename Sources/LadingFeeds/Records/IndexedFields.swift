/// What a store knows of a row beside its content: what is searched, where it lies on earth, and what it is sorted by.
public struct IndexedFields: Sendable {
    /// What is searched, part by part; no word goes across two parts.
    public var text: [String]
    /// nil for a row that lies nowhere: it is in no list of what is near.
    public var location: GeographicPoint?
    /// What the row is sorted by, for the `sortKeys` of its type.
    public var sortValues: [RecordSortKey: RecordSortValue]

    public init(text: [String] = [], location: GeographicPoint? = nil, sortValues: [RecordSortKey: RecordSortValue] = [:]) {
        self.text = text
        self.location = location
        self.sortValues = sortValues
    }
}

/// The name of something that rows are sorted by.
public struct RecordSortKey: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public init(stringLiteral name: String) {
        self.init(name)
    }
}

/// What one row is sorted by: numbers come before texts.
public enum RecordSortValue: Hashable, Sendable {
    /// Not a number counts as no value.
    case number(Double)
    /// Compared without case, diacritics and width.
    case text(String)
}

extension RecordSortValue {
    /// The most bytes of a text that count.
    package static var textLimit: Int { 200 }

    /// The value as it is kept and compared; nil when there is nothing to compare.
    package var folded: RecordSortValue? {
        switch self {
        case .number(let number): number.isNaN ? nil : self
        case .text(let text): .text(String(decoding: FoldedText(text).bytes.prefix(Self.textLimit), as: UTF8.self))
        }
    }
}

extension RecordSortValue: Comparable {
    public static func < (one: RecordSortValue, other: RecordSortValue) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}
