/// The fields of a row that a store indexes: searchable text, location and sort values.
public struct IndexedFields: Sendable {
    /// The searchable texts; no word matches across two of them.
    public var text: [String]
    /// The location; a row without one is not found by distance.
    public var location: GeographicPoint?
    /// The values for the `sortKeys` of the row type.
    public var sortValues: [RecordSortKey: RecordSortValue]

    public init(text: [String] = [], location: GeographicPoint? = nil, sortValues: [RecordSortKey: RecordSortValue] = [:]) {
        self.text = text
        self.location = location
        self.sortValues = sortValues
    }
}

/// The name of a sort key.
public struct RecordSortKey: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public init(stringLiteral name: String) {
        self.init(name)
    }
}

/// A value that rows are sorted by. Numbers precede texts.
public enum RecordSortValue: Hashable, Sendable {
    /// NaN counts as no value.
    case number(Double)
    /// Compared without case, diacritics and width.
    case text(String)
}

extension RecordSortValue {
    /// The maximum number of bytes of a text that are compared.
    package static var textLimit: Int { 200 }

    /// The value as it is stored and compared; nil for NaN.
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
