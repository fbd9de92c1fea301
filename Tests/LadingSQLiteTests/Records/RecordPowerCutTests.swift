import Foundation
import LadingConformance
import LadingRecords
import LadingSQLite
import LadingTesting
import Testing
@testable import StoreFixtures

/// Tests of power cuts during a write: each sector that was not synced may be written or not.
///
/// SQLite confirms a page after writing and syncing the log. Only then does it write to the file, and it restarts the log after syncing the file. So
/// a cut either tears the log and preserves the file, or preserves the log and tears the file.
@Suite struct RecordPowerCutTests {
    private static let cutCount = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 500 : 80

    private typealias Content = [StoredContent]

    private struct StoredContent: Equatable {
        var place: Int
        var row: ConformanceRow
    }

    @Test func `A power cut reverts no confirmed page and leaves no partial page`() async throws {
        let seed = TestSeeds.fromEnvironment ?? 1
        var random = SeededRandom(seed: seed)
        let (script, folder) = (PageGenerator(seed: seed), try StoreFolder())
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        var (before, old) = (try PowerCutDisk(folder), Content())
        for number in 0..<Self.cutCount {
            _ = try await store.store(script.page(number))
            let (after, new) = (try PowerCutDisk(folder), try await content(of: store))

            let isConfirmed = Bool.random(using: &random) || after.log.isEmpty
            let torn = isConfirmed ? after.cutAfterSync(since: before, &random) : after.cutBeforeSync(since: before, &random)
            let found = try await content(of: torn)

            #expect(found == new || (!isConfirmed && found == old), "LADING_SEED=\(seed), page \(number), confirmed: \(isConfirmed)")
            (before, old) = (after, new)
        }
        try store.close()
    }

    private func content(of store: SQLiteRecordStore<ConformanceRow>) async throws -> Content {
        try await store.records(limit: 1_000).records.map { StoredContent(place: $0.place, row: $0.row) }
    }

    /// Returns the content of a store that is opened after the cut; nil if its file was quarantined.
    private func content(of disk: PowerCutDisk) async throws -> Content? {
        let folder = try StoreFolder()
        try disk.write(to: folder)
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        defer { try? store.close() }
        let content = try await content(of: store)
        // The indexes are in other pages of the file.
        let count = try await store.count(RecordQuery(search: "page"))
        return store.quarantinedFile == nil && count == content.count ? content : nil
    }
}
