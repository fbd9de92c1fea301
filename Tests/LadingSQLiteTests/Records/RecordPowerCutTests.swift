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

    /// What a store says that is opened after the cut; nil when it had to be set aside.
    private func content(of disk: PowerCutDisk) async throws -> Content? {
        let folder = try StoreFolder()
        try disk.write(to: folder)
        let store = try SQLiteRecordStore<ConformanceRow>(at: folder.file)
        defer { try? store.close() }
        let content = try await content(of: store)
        // What is derived from rows goes through other pages of the file.
        let count = try await store.count(RecordQuery(search: "page"))
        return store.quarantinedFile == nil && count == content.count ? content : nil
    }
}
