import Foundation
import LadingRecords

extension RecordStoreConformance.Case {
    static let paging = [
        Self("Pages are read back in order of storage") { trial in
            try await trial.store(0..<20, at: 0, next: .offset(20))
            try await trial.store((20..<40).reversed(), at: 20, next: .offset(40))

            try await trial.expectEqual(trial.ids(), Array(0..<20) + (20..<40).reversed())
            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<40, generation: 1, next: .offset(40))])
        },
        Self("A page may precede the first one") { trial in
            try await trial.store(0..<3, at: 0)
            try await trial.store([7, 8], at: -2)

            try await trial.expectEqual(trial.ids(), [7, 8, 0, 1, 2])
            try await trial.expectEqual(trial.ids(from: .index(1), limit: 2), [8, 0])
        },
        Self("A row repeated in a refresh keeps its position and gets its newest content") { trial in
            try await trial.store(0..<3, at: 0, title: "old")
            try await trial.store([1, 3, 4], at: 3, title: "new")

            let records = try await trial.store.records(limit: 10).records
            trial.expectEqual(records.map(\.row.id), [0, 1, 2, 3, 4])
            trial.expectEqual(records.map(\.place), [0, 1, 2, 4, 5])
            trial.expectEqual(records[1].row.title, "new 1")
        },
        Self("A row of the last page that was stored beyond it moves into the page") { trial in
            try await trial.store(0..<2, at: 0, next: .offset(2))
            try await trial.store([8, 9], at: 4)
            try await trial.store([8], at: 2, title: "new", isEnd: true)

            let records = try await trial.store.records(limit: 10).records
            trial.expectEqual(records.map(\.row.id), [0, 1, 8])
            trial.expectEqual(records.map(\.place), [0, 1, 2])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "new")), [8])
            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<3, generation: 1, isEnd: true)])
        },
        Self("A row that is in a page twice is there once") { trial in
            let page = [ConformanceRow(1, "first"), ConformanceRow(2), ConformanceRow(1, "last")]
            _ = try await trial.store.store(RecordPage(page, at: 0, generation: 1))

            try await trial.expectEqual(trial.store.records(limit: 10).rows, [ConformanceRow(1, "last"), ConformanceRow(2)])
        },
        Self("Skipped rows leave gaps") { trial in
            _ = try await trial.store.store(RecordPage([ConformanceRow(1)], at: 0, generation: 1, skipped: 1, next: .offset(2)))

            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<2, generation: 1, next: .offset(2))])
        },
        Self("An empty list is stored as empty") { trial in
            try await trial.store([], at: 0, isEnd: true)

            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<0, generation: 1, isEnd: true)])
            try await trial.store([1], at: 0, generation: 2)
            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<1, generation: 2)])
        },
    ]

    static let refreshing = [
        Self("A newer page replaces only the positions that it covers") { trial in
            try await trial.store(0..<10, at: 0, next: .offset(10))
            try await trial.store([20, 21, 22], at: 0, generation: 2, next: .offset(3))

            try await trial.expectEqual(trial.ids(), [20, 21, 22] + Array(3..<10))
            try await trial.expectEqual(
                trial.store.loadedRanges(),
                [
                    LoadedRange(places: 0..<3, generation: 2, next: .offset(3)),
                    LoadedRange(places: 3..<10, generation: 1, next: .offset(10)),
                ])
        },
        Self("A newer page moves rows from their old positions") { trial in
            try await trial.store(0..<6, at: 0)
            try await trial.store([5, 0, 1], at: 0, generation: 2)

            try await trial.expectEqual(trial.ids(), [5, 0, 1, 3, 4])
            try await trial.expectEqual(trial.store.count(RecordQuery()), 5)
        },
        Self("A page of an older refresh changes nothing") { trial in
            try await trial.store(0..<3, at: 0, generation: 2)
            let result = try await trial.store(5..<9, at: 0, generation: 1)

            trial.expectEqual(result, .stale)
            try await trial.expectEqual(trial.ids(), [0, 1, 2])
        },
        Self("No rows remain beyond a confirmed end") { trial in
            try await trial.store(0..<1_200, at: 0)
            try await trial.store(0..<2, at: 0, generation: 2, isEnd: true)

            try await trial.expectEqual(trial.ids(), [0, 1])
            try await trial.expectEqual(trial.store.count(RecordQuery(search: "number")), 2)
            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<2, generation: 2, isEnd: true)])
        },
        Self("An empty page ends the list after rows of an older refresh") { trial in
            try await trial.store(0..<4, at: 0, next: .offset(4))
            try await trial.store([], at: 4, generation: 2, isEnd: true)

            try await trial.expectEqual(
                trial.store.loadedRanges(),
                [LoadedRange(places: 0..<4, generation: 1, next: .offset(4)), LoadedRange(places: 4..<4, generation: 2, isEnd: true)])
            try await trial.store(0..<4, at: 0, generation: 2, next: .offset(4))
            try await trial.expectEqual(trial.store.loadedRanges(), [LoadedRange(places: 0..<4, generation: 2, isEnd: true)])
        },
        Self("Rows keep the generation that stored them") { trial in
            try await trial.store(0..<4, at: 0)
            try await trial.store(0..<2, at: 0, generation: 2)

            try await trial.expectEqual(trial.store.records(limit: 9).records.map(\.generation), [2, 2, 1, 1])
        },
        Self("Local changes survive new pages and the removal of all rows") { trial in
            try await trial.store([1, 2], at: 0)
            try await trial.store.setLocalChange(Data([7]), named: "mark", of: 2)
            try await trial.store.setLocalChange(Data([8]), named: "mark", of: 3)
            try await trial.store([2, 3], at: 0, generation: 2)

            try await trial.expectEqual(
                trial.store.records(limit: 9).records.map(\.localChanges), [["mark": Data([7])], ["mark": Data([8])]])
            try await trial.store.removeAll()
            try await trial.store([2], at: 0)
            try await trial.expectEqual(trial.store.record(of: 2)?.localChanges, ["mark": Data([7])])
            try await trial.store.setLocalChange(nil, named: "mark", of: 2)
            try await trial.expectEqual(trial.store.record(of: 2)?.localChanges, [:])
        },
    ]
}
