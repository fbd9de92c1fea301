public import Foundation

/// A row that a `RecordStore` keeps: it has an identity, its own encoding, and tells what is searched and sorted.
///
/// ```swift
/// struct Parcel: Recordable, Codable {
///     var id: Int
///     var title: String
///     var weight: Double
///
///     static let sortKeys: [RecordSortKey] = ["weight"]
///
///     var facts: IndexedFields { IndexedFields(text: [title], keys: ["weight": .number(weight)]) }
/// }
/// ```
///
/// A row that is `Codable` is kept as JSON unless it says otherwise, and an identity that is `LosslessStringConvertible` under its description.
public protocol Recordable: Identifiable, Sendable where ID: Sendable {
    /// The identity as text; different for different identities.
    static func storageKey(of id: ID) -> String

    /// Another number whenever `facts` are made in another way. A store that was written with another one then describes its rows anew.
    static var indexVersion: Int { get }

    /// By what rows can be sorted.
    static var sortKeys: [RecordSortKey] { get }

    /// What a store needs to know of the row; the same for the same row, always.
    var indexedFields: IndexedFields { get }

    func encoded() throws -> Data

    /// Reads a row back, also one that an earlier release has encoded.
    init(encoded data: Data) throws
}

extension Recordable {
    public static var indexVersion: Int { 1 }

    public static var sortKeys: [RecordSortKey] { [] }
}

extension Recordable where ID: LosslessStringConvertible {
    public static func storageKey(of id: ID) -> String { id.description }
}

extension Recordable where Self: Codable {
    /// The same bytes for the same row: by them it is told whether a row that comes again is another.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }

    public init(encoded data: Data) throws { self = try JSONDecoder().decode(Self.self, from: data) }
}
