import Foundation
import LadingConformance
import LadingRecords
import LadingSQLite
import LadingTesting

/// A scenario that stores and searches pages after a kill, until a page cannot be stored.
struct RecordScenario: FaultScenario {
    private static let script = PageGenerator(seed: 1)
    private static let pageCount = 8

    private let folder: URL
    /// The number of confirmed pages, from the first one on.
    private var confirmed = 0

    init(folder: URL) {
        self.folder = folder
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "records.sqlite", directoryHint: .notDirectory) }

    mutating func prepare() async throws {
        let store = try SQLiteRecordStore<ConformanceRow>(at: Self.file(in: folder.stagingDirectory))
        for number in 0..<Self.pageCount / 2 { _ = try await store.store(Self.script.page(number)) }
        confirmed = Self.pageCount / 2
        try folder.stagingDirectory.copyContents(to: folder)
        try store.close()
    }

    mutating func run() async {
        guard let store = try? SQLiteRecordStore<ConformanceRow>(at: Self.file(in: folder)) else { return }
        while confirmed < Self.pageCount, (try? await store.store(Self.script.page(confirmed))) != nil { confirmed += 1 }
        _ = try? await store.count(RecordQuery(search: "page"))
        try? store.close()
    }

    func problems() async throws -> [String] {
        let store = try SQLiteRecordStore<ConformanceRow>(at: Self.file(in: folder))
        defer { try? store.close() }
        if store.quarantinedFile != nil { return ["the file was set aside"] }
        let model = MemoryRecordStore<ConformanceRow>()
        for number in 0..<confirmed { _ = try await model.store(Self.script.page(number)) }
        if try await Self.isSame(store, model) { return [] }
        // The unconfirmed page may be stored completely.
        _ = try await model.store(Self.script.page(confirmed))
        return try await Self.isSame(store, model) ? [] : ["the rows are not those of \(confirmed) pages, or of one more"]
    }

    private static func isSame(_ store: SQLiteRecordStore<ConformanceRow>, _ model: MemoryRecordStore<ConformanceRow>) async throws -> Bool
    {
        let (ours, theirs) = try await (store.records(limit: 1_000).records, model.records(limit: 1_000).records)
        let (runs, expected) = try await (store.loadedRanges(), model.loadedRanges())
        let (found, count) = try await (store.count(RecordQuery(search: "page")), model.count(RecordQuery(search: "page")))
        return runs == expected && found == count && ours.map(\.row) == theirs.map(\.row) && ours.map(\.place) == theirs.map(\.place)
    }
}
