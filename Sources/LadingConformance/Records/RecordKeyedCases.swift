import Foundation
import LadingRecords

extension RecordStoreConformance.Case {
    /// Rows that are stored, read and removed by id.
    static let keyed = [
        Self("Rows without a page are found by id with their newest content") { trial in
            try await trial.store.put([ConformanceRow(7, "seven"), ConformanceRow(3, "three"), ConformanceRow(7, "seven again")])
            try await trial.store.put([ConformanceRow(3, "three again", weight: 2), ConformanceRow(9, "nine")])
            try await trial.store.put([])

            try await trial.expectEqual(trial.ids(), [7, 3, 9])
            let found = try await trial.store.records(of: [9, 4, 3, 7]).rows
            trial.expectEqual(Set(found.map(\.title)), ["nine", "three again", "seven again"])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "again")), [7, 3])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "number 3")), [3])
            try await trial.expectEqual(trial.ids(RecordQuery(order: .sorted("weight")), limit: 1), [3])
            try await trial.expectEqual(trial.store.count(RecordQuery()), 3)
            try await trial.expectEqual(trial.store.loadedRanges(), [])
        },
        Self("Rows stored without a page move no others and are replaced by the next covering page") { trial in
            try await trial.store(0..<3, at: 0, generation: 2)
            try await trial.store.put([ConformanceRow(1, "one"), ConformanceRow(20, "put")])

            try await trial.expectEqual(trial.ids(), [0, 1, 2, 20])
            let one = try await trial.store.record(of: 1)
            trial.expectEqual(one?.place, 1)
            trial.expectEqual(one?.generation, 2)
            trial.expectEqual(one?.row.title, "one")
            try await trial.store(3..<5, at: 3, generation: 2)
            try await trial.expectEqual(trial.ids(), [0, 1, 2, 3, 4])
        },
        Self("A removed row is not found and the others stay") { trial in
            try await trial.store.put((0..<5).map { ConformanceRow($0, "row", coordinates: [0, Double($0)]) })
            try await trial.store.remove([1, 3, 77])
            try await trial.store.remove([])

            try await trial.expectEqual(trial.ids(), [0, 2, 4])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "row")), [0, 2, 4])
            try await trial.expectEqual(trial.store.records(of: [1, 2, 3]).rows.map(\.id), [2])
            try await trial.expectEqual(trial.store.count(RecordQuery()), 3)
            try await trial.store.put([ConformanceRow(1, "back")])
            try await trial.expectEqual(Set(trial.ids()), [0, 1, 2, 4])
        },
        Self("Trimming removes the rows that were stored first") { trial in
            let rows = (0..<10).map { ConformanceRow($0, "row \($0)") }
            for row in rows { try await trial.store.put([row]) }
            let size = try rows[0].encoded().count

            try await trial.store.trim(toBytes: 10 * size)
            try await trial.expectEqual(trial.ids(), Array(0..<10))
            try await trial.store.trim(toBytes: 4 * size + size / 2)
            try await trial.expectEqual(trial.ids(), [6, 7, 8, 9])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "row")), [6, 7, 8, 9])
            try await trial.store.trim(toBytes: 0)
            try await trial.expectEqual(trial.ids(), [])
        },
    ]
}
