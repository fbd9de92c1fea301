import Foundation
import LadingRecords

extension RecordStoreConformance.Case {
    static let reading = [
        Self("The list is read in both directions, from an index and by position range") { trial in
            for start in stride(from: 0, to: 3_000, by: 500) { try await trial.store(start..<start + 500, at: 2 * start) }

            try await trial.expectEqual(trial.ids(from: .after(RecordPosition(place: 499)), limit: 2), [500, 501])
            try await trial.expectEqual(trial.ids(from: .before(RecordPosition(place: 1_001)), limit: 2), [499, 500])
            try await trial.expectEqual(trial.ids(from: .index(2_998), limit: 5), [2_998, 2_999])
            try await trial.expectEqual(trial.ids(from: .index(3_000), limit: 5), [])
            try await trial.expectEqual(trial.store.records(in: 498..<1_002).rows.map(\.id), [498, 499, 500, 501])
            try await trial.expectEqual(trial.store.record(of: 7)?.place, 7)
            try await trial.expectEqual(trial.store.record(of: -7)?.place, nil)
        },
        Self("In each order an empty limit and an index beyond the end return no rows") { trial in
            let rows = (0..<5).map { ConformanceRow($0, "row", weight: 1, coordinates: [0, Double($0)]) }
            _ = try await trial.store.store(RecordPage(rows, at: 0, generation: 1))
            guard let point = GeographicPoint(latitude: 0, longitude: 0) else { return }

            for order in [RecordQuery.Order.serverOrder, .sorted("weight"), .nearest(point)] {
                for query in [RecordQuery(order: order), RecordQuery(search: "row", order: order)] {
                    for start in [ResultCursor.first, .index(0), .index(2)] {
                        for limit in [0, -1] { try await trial.expectEqual(trial.ids(query, from: start, limit: limit), []) }
                    }
                    try await trial.expectEqual(trial.ids(query, from: .index(.max)), [])
                    try await trial.expectEqual(trial.ids(query, from: .index(.min)), [0, 1, 2, 3, 4])
                }
            }
        },
        Self("Search ignores case and diacritics in every script and requires all words") { trial in
            let titles = ["Smørrebrød från Łódź", "café 珍珠奶茶", "STRASSE und Straße", "naïve CAFÉ in Łódź", "zero\u{0}byte"]
            _ = try await trial.store.store(
                RecordPage(titles.enumerated().map { ConformanceRow($0, $1) }, at: 0, generation: 1))

            let searches: [(String, [Int])] = [
                ("smorrebrod", [0]), ("lodz", [0, 3]), ("CAFE", [1, 3]), ("奶茶", [1]), ("茶", [1]), ("strasse", [2]), ("af", [1, 3]),
                ("lodz cafe", [3]), ("cafe\u{3000}in", [3]), ("nothing", []), ("", [0, 1, 2, 3, 4]), ("zero byte", [4]), ("e1", []),
                ("number 3", [3]), ("zznumber", []),
            ]
            for (search, found) in searches {
                try await trial.expectEqual(trial.ids(RecordQuery(search: search)), found, search)
                try await trial.expectEqual(trial.store.count(RecordQuery(search: search)), found.count, search)
            }
        },
        Self("A search continues after and before its results") { trial in
            for start in stride(from: 0, to: 2_000, by: 100) {
                try await trial.store(start..<start + 100, at: start, title: start % 200 == 0 ? "even" : "odd")
            }

            let query = RecordQuery(search: "EVEN 99")
            try await trial.expectEqual(trial.ids(query, limit: 2), [99, 299])
            try await trial.expectEqual(trial.ids(query, from: .after(RecordPosition(place: 299)), limit: 2), [499, 699])
            try await trial.expectEqual(trial.ids(query, from: .before(RecordPosition(place: 699)), limit: 2), [299, 499])
            try await trial.expectEqual(trial.ids(query, from: .index(8), limit: 5), [1_699, 1_899])
        },
        Self("A row is found by its current content") { trial in
            try await trial.store([1, 2], at: 0, title: "before")
            try await trial.store([1], at: 0, generation: 2, title: "behind")

            try await trial.expectEqual(trial.ids(RecordQuery(search: "before")), [2])
            try await trial.expectEqual(trial.ids(RecordQuery(search: "behind")), [1])
        },
        Self("Rows are sorted by a key with missing values last") { trial in
            let weights: [Double?] = [3, nil, 1, 2, 1, nil]
            let rows = weights.enumerated().map { ConformanceRow($0, "row \($0)", weight: $1) }
            _ = try await trial.store.store(RecordPage(rows, at: 0, generation: 1))

            let up = RecordQuery(order: .sorted("weight"))
            let down = RecordQuery(order: .sorted("weight", descending: true))
            try await trial.expectEqual(trial.ids(up), [2, 4, 3, 0, 1, 5])
            try await trial.expectEqual(trial.ids(down), [0, 3, 4, 2, 5, 1])
            for query in [up, down] {
                let all = try await trial.store.records(query, from: .first, limit: 9).records
                for (index, record) in all.enumerated() {
                    let (behind, before) = (all[(index + 1)...].map(\.row.id), all[..<index].map(\.row.id))
                    try await trial.expectEqual(trial.ids(query, from: .after(record.position)), behind)
                    try await trial.expectEqual(trial.ids(query, from: .before(record.position)), before)
                    try await trial.expectEqual(trial.ids(query, from: .index(index)), all[index...].map(\.row.id))
                    try await trial.expectEqual(trial.ids(query, from: .before(record.position), limit: 1), before.suffix(1))
                }
            }
            try await trial.expectEqual(
                trial.ids(RecordQuery(search: "row", order: .sorted("weight", descending: true))), [0, 3, 4, 2, 5, 1])
        },
        Self("Rows are sorted by distance, across the date line and at the poles") { trial in
            let coordinates: [[Double]?] = [[0, 179], [0, -178], [0, 0], nil, [89.9, 10], [89.9, -170], [0, 179.5]]
            let rows = coordinates.enumerated().map { ConformanceRow($0, "row", coordinates: $1) }
            _ = try await trial.store.store(RecordPage(rows, at: 0, generation: 1))

            for (latitude, longitude, expected) in [(0.0, 180.0, [6, 0, 1]), (90, 0, [4, 5])] {
                guard let point = GeographicPoint(latitude: latitude, longitude: longitude) else { return }
                let query = RecordQuery(order: .nearest(point))
                try await trial.expectEqual(trial.ids(query, limit: expected.count), expected)
                try await trial.expectEqual(trial.store.count(query), 6)
                let all = try await trial.store.records(query, from: .first, limit: 9).records
                try await trial.expectEqual(trial.ids(query, from: .after(all[2].position)), all[3...].map(\.row.id))
                try await trial.expectEqual(trial.ids(query, from: .before(all[4].position), limit: 2), all[2..<4].map(\.row.id))
                try await trial.expectEqual(trial.ids(query, from: .index(4)), all[4...].map(\.row.id))
            }
        },
    ]
}
