public import Foundation
import LadingRecords

/// The list and the rows of one feed in a `RecordArchive`, available to later processes.
///
/// ```swift
/// let archive = FeedArchive<OrderFeed>(in: records, named: "orders")
/// let cache = FeedCache(archive: archive)
/// ```
///
/// The list is one archived value, and each loaded row is another. Storing a fetched list removes the rows that are no longer in it.
public struct FeedArchive<F: Feed>: Sendable {
    package typealias ID = F.Reference.ID

    /// The encoder and decoder of stored values.
    struct Coding<Value>: Sendable {
        let encode: @Sendable (Value) throws -> Data
        let decode: @Sendable (Data) throws -> Value
    }

    /// The maximum length of an encoded list, in bytes; a longer one is not stored.
    package static var listLimit: Int { 64 << 20 }
    /// The maximum length of an encoded row, in bytes; a longer one is not stored.
    package static var rowLimit: Int { 64 << 10 }

    private let records: RecordArchive
    private let name: String
    private let parseID: @Sendable (String) -> ID?
    private let listCoding: Coding<StoredList>
    /// The coding of rows; nil for a feed whose rows are not stored.
    private let rowCoding: Coding<F.Row>?

    /// A stored list with the date at which it was fetched.
    struct StoredList: Sendable {
        var snapshot: FeedSnapshot<F.Reference>
        var date: Date
    }

    /// The error thrown when an encoded value exceeds its maximum length.
    struct ValueTooLong: Error {}

    private struct CodableList<Reference: Codable>: Codable {
        var date: Date
        var references: [Reference]
        /// The number of rows that the list omits; nil if it omits none, and in lists of releases that did not store the number.
        var skipped: Int?
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID: LosslessStringConvertible {
    /// Creates an archive of the list only, for a feed whose rows are stored elsewhere.
    ///
    /// - Parameter name: The name of the feed, unique within the archive.
    public init(ofListIn records: RecordArchive, named name: String) {
        self.init(ofListIn: records, named: name, parseID: { ID($0) })
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID: LosslessStringConvertible, F.Row: Codable {
    /// Creates an archive of the list and the rows.
    ///
    /// - Parameter name: The name of the feed, unique within the archive.
    public init(in records: RecordArchive, named name: String) {
        self.init(in: records, named: name, parseID: { ID($0) })
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID == UUID {
    /// Creates an archive of the list only, as for other identities.
    public init(ofListIn records: RecordArchive, named name: String) {
        self.init(ofListIn: records, named: name, parseID: { UUID(uuidString: $0) })
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID == UUID, F.Row: Codable {
    /// Creates an archive of the list and the rows.
    ///
    /// - Parameter name: The name of the feed, unique within the archive.
    public init(in records: RecordArchive, named name: String) {
        self.init(in: records, named: name, parseID: { UUID(uuidString: $0) })
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID: CustomStringConvertible {
    /// Creates an archive of the list only, for identities that are not created from their descriptions.
    ///
    /// - Parameters:
    ///   - name: The name of the feed, unique within the archive.
    ///   - parseID: Returns the identity with a description, which is unique; nil for another text.
    public init(ofListIn records: RecordArchive, named name: String, parseID: @escaping @Sendable (String) -> F.Reference.ID?) {
        self.init(in: records, named: name, parseID: parseID, rows: nil)
    }

    private init(in records: RecordArchive, named name: String, parseID: @escaping @Sendable (String) -> ID?, rows: Coding<F.Row>?) {
        (self.records, self.name, rowCoding) = (records, name, rows)
        self.parseID = parseID
        listCoding = Coding(
            encode: { list in
                let skipped = list.snapshot.omittedCount == 0 ? nil : list.snapshot.omittedCount
                return try JSONEncoder().encode(CodableList(date: list.date, references: list.snapshot.references, skipped: skipped))
            },
            decode: { data in
                let list = try JSONDecoder().decode(CodableList<F.Reference>.self, from: data)
                let snapshot = FeedSnapshot(list.references, omittedCount: list.skipped ?? 0)
                return StoredList(snapshot: snapshot, date: list.date.clamped)
            })
        // A row is useless without its list, so the list is removed last.
        if storesRows { records.prioritize(named: listName) }
    }
}

extension FeedArchive where F.Reference: Codable, F.Reference.ID: CustomStringConvertible, F.Row: Codable {
    /// Creates an archive of the list and the rows, for identities that are not created from their descriptions.
    ///
    /// - Parameters:
    ///   - name: The name of the feed, unique within the archive.
    ///   - parseID: Returns the identity with a description, which is unique; nil for another text.
    public init(in records: RecordArchive, named name: String, parseID: @escaping @Sendable (String) -> F.Reference.ID?) {
        let rows = Coding<F.Row>(encode: { try JSONEncoder().encode($0) }, decode: { try JSONDecoder().decode(F.Row.self, from: $0) })
        self.init(in: records, named: name, parseID: parseID, rows: rows)
    }
}

// MARK: - Reading and writing

extension FeedArchive {
    private var listName: String { "\(name)/list" }
    private var rowPrefix: String { "\(name)/row/" }

    /// A description of the archive that is unique in the process, for operation keys.
    var subject: String { "\(name) in \(ObjectIdentifier(records).hashValue)" }

    var storesRows: Bool { rowCoding != nil }

    /// Stores a list that was fetched without a `FeedCache`.
    package func store(_ list: F.List, at date: Date) {
        put(FeedSnapshot(list.fetchedList), at: date, replacing: [])
    }

    func list() async -> StoredList? {
        guard let stored = await records.content(of: [listName])[listName] else { return nil }
        return await records.offloaded(.userInitiated) { [listCoding] in try? listCoding.decode(stored.value) }
    }

    /// Stores a fetched list and removes the rows that are no longer in it.
    ///
    /// - Parameter earlier: The replaced lists, whose rows may be stored.
    func put(_ list: FeedSnapshot<F.Reference>, at date: Date, replacing earlier: [FeedSnapshot<F.Reference>]) {
        records.add(named: listName, removal: storesRows ? removal(of: earlier, without: list) : nil) { [listCoding] in
            let content = try listCoding.encode(StoredList(snapshot: list, date: date))
            // A list that is too long is removed, because the stored one is outdated.
            return content.count <= Self.listLimit ? content : nil
        }
    }

    /// Returns the removal of the rows of replaced lists that are not in a list.
    private func removal(of replaced: [FeedSnapshot<F.Reference>], without list: FeedSnapshot<F.Reference>) -> ArchiveWrite.Removal {
        let prefix = rowPrefix
        return ArchiveWrite.Removal {
            replaced.flatMap { $0.references.map(\.id).filter { list.index(of: $0) == nil } }.map { "\(prefix)\($0)" }
        } retains: { [parseID] name in
            parseID(String(Substring(name.utf8.dropFirst(prefix.utf8.count)))).map { list.index(of: $0) != nil } ?? false
        }
    }

    func rows(of ids: [ID]) async -> [(id: ID, row: Archived<F.Row>)] {
        guard let rowCoding else { return [] }
        let found = await records.content(of: ids.map { "\(rowPrefix)\($0)" })
        return ids.compactMap { id in
            found["\(rowPrefix)\(id)"].flatMap { stored in
                (try? rowCoding.decode(stored.value)).map { (id, Archived($0, at: stored.date)) }
            }
        }
    }

    func put(_ row: F.Row, of id: ID) {
        guard let rowCoding else { return }
        records.put(contentNamed: "\(rowPrefix)\(id)") {
            let content = try rowCoding.encode(row)
            guard content.count <= Self.rowLimit else { throw ValueTooLong() }
            return content
        }
    }

    /// Passes all stored rows to `body` in batches until it returns false.
    func readRows(_ body: ([(id: ID, row: F.Row)]) -> Bool) async {
        guard let rowCoding else { return }
        let prefix = rowPrefix
        await records.read(namesWithPrefix: prefix) { [parseID] values in
            let rows = await records.offloaded(.userInitiated) {
                values.compactMap { value -> (id: ID, row: F.Row)? in
                    guard let id = parseID(String(Substring(value.name.utf8.dropFirst(prefix.utf8.count)))) else { return nil }
                    return (try? rowCoding.decode(value.content)).map { (id, $0) }
                }
            }
            return body(rows)
        }
    }
}
