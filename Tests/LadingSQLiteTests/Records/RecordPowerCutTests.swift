import Foundation
import LadingFeeds
import LadingSQLite
import LadingTesting
import Testing

/// The power is cut while a page is written: what was not synced may be there, may be gone, and may be torn, sector by sector.
///
/// SQLite writes to the log, syncs it, and has confirmed the page then. Only afterwards does it write to the file, and it begins the log anew when that is
/// synced. So a cut leaves either the log torn and the file as it was, or the log whole and the file torn.
@Suite struct RecordPowerCutTests {
    private static let cuts = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 500 : 80
    /// What a disk writes whole, in bytes.
    private static let sector = 512

    /// The header of a log, in bytes (SQLite's file format, §4.1).
    private static let header = 32

    private struct Disk: Equatable {
        var file: Data
        var log: Data

        init(_ folder: StoreFolder) throws {
            file = try Data(contentsOf: folder.file)
            log = (try? Data(contentsOf: folder.log)) ?? Data()
        }

        func write(to folder: StoreFolder) throws {
            try file.write(to: folder.file)
            try log.write(to: folder.log)
        }
    }

    private typealias Content = [StoredContent]

    private struct StoredContent: Equatable {
        var place: Int
        var row: ConformanceRow
    }

    @Test func `Cutting the power takes back no page that was confirmed, and leaves none half`() async throws {
        let seed = Seeds.given ?? 1
        var random = SeededRandom(seed: seed)
        let (script, folder) = (PageScript(seed: seed), try StoreFolder())
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        var (before, old) = (try Disk(folder), Content())
        for number in 0..<Self.cuts {
            _ = try await store.store(script.page(number))
            let (after, new) = (try Disk(folder), try await content(of: store))

            var torn = after
            // A log that was emptied was folded into the file, and that was synced.
            let isConfirmed = Bool.random(using: &random) || after.log.isEmpty
            if isConfirmed {
                if !after.log.isEmpty { torn.file = tear(before.file, after.file, &random) }
            } else {
                torn = before
                torn.log = tear(before.log, after.log, &random)
                // The header of a log that begins anew is synced before anything is written behind it.
                torn.log.replaceSubrange(..<min(Self.header, torn.log.count), with: after.log.prefix(min(Self.header, torn.log.count)))
            }
            let found = try await content(of: torn)

            #expect(found == new || (!isConfirmed && found == old), "LADING_SEED=\(seed), page \(number), confirmed: \(isConfirmed)")
            (before, old) = (after, new)
        }
        try store.close()
    }

    private func content(of store: SQLiteRecordStore<ConformanceRow>) async throws -> Content {
        try await store.records(limit: 1_000).records.map { StoredContent(place: $0.place, row: $0.row) }
    }

    /// What a store says that is opened after the cut; nil when it had to be set aside.
    private func content(of disk: Disk) async throws -> Content? {
        let folder = try StoreFolder()
        try disk.write(to: folder)
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        defer { try? store.close() }
        let content = try await content(of: store)
        // What is derived from rows goes through other pages of the file.
        let count = try await store.count(RecordQuery(search: "page"))
        return store.setAside == nil && count == content.count ? content : nil
    }

    /// Each sector that was written is there or is not.
    private func tear(_ before: Data, _ after: Data, _ random: inout SeededRandom) -> Data {
        let share = Double.random(in: 0...1, using: &random)
        var torn = after.count < before.count ? before : after
        for start in stride(from: 0, to: torn.count, by: Self.sector) where Double.random(in: 0..<1, using: &random) > share {
            let end = min(start + Self.sector, torn.count)
            var old = before.dropFirst(start).prefix(end - start)
            old.append(contentsOf: [UInt8](repeating: 0, count: end - start - old.count))
            torn.replaceSubrange(start..<end, with: old)
        }
        return torn
    }
}
