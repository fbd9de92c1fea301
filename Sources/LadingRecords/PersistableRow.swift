public import Foundation

/// A row that a `RecordStore` can store: it has an identity, an encoding and indexed fields.
///
/// ```swift
/// struct Parcel: PersistableRow, Codable {
///     var id: Int
///     var title: String
///     var weight: Double
///
///     static let sortKeys: [RecordSortKey] = ["weight"]
///
///     var indexedFields: IndexedFields { IndexedFields(text: [title], sortValues: ["weight": .number(weight)]) }
/// }
/// ```
///
/// By default a `Codable` row is encoded as JSON, and the storage key of a `LosslessStringConvertible` identity or a `UUID` is its description.
public protocol PersistableRow: Identifiable, Sendable where ID: Sendable {
    /// Returns a text that identifies the row, unique for each identity.
    static func storageKey(of id: ID) -> String

    /// The version of `indexedFields`. Increment it when they change, so that stores reindex their rows.
    static var indexVersion: Int { get }

    /// The keys by which rows can be sorted.
    static var sortKeys: [RecordSortKey] { get }

    /// The fields that a store indexes, which must only depend on the row.
    var indexedFields: IndexedFields { get }

    /// Encodes the row deterministically, because equal bytes mean an unchanged row.
    ///
    /// - Throws: An error for a row that cannot be encoded, which a store rethrows without storing the page.
    func encoded() throws -> Data

    /// Decodes a row, including rows that earlier releases have encoded.
    ///
    /// - Throws: An error for bytes of another kind; a store counts the row in `RecordSlice.unreadable`.
    init(encoded data: Data) throws
}

extension PersistableRow {
    public static var indexVersion: Int { 1 }

    public static var sortKeys: [RecordSortKey] { [] }
}

extension PersistableRow where ID: LosslessStringConvertible {
    public static func storageKey(of id: ID) -> String { id.description }
}

extension PersistableRow where ID == UUID {
    public static func storageKey(of id: ID) -> String { id.uuidString }
}

extension PersistableRow where Self: Codable {
    /// Encodes the row as JSON with sorted keys.
    ///
    /// - Throws: `EncodingError`, and errors of the row's encoding.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }

    /// Decodes a row from JSON.
    ///
    /// - Throws: `DecodingError`, and errors of the row's decoding.
    public init(encoded data: Data) throws { self = try JSONDecoder().decode(Self.self, from: data) }
}
