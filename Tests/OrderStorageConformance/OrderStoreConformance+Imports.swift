import OrderLifecycle
import OrderStorage
import Testing

extension OrderStoreConformance.Case {
    private typealias Context = OrderStoreContext

    /// Returns the store of a case, which supports imports.
    private static func importStore(_ context: OrderStoreContext) throws -> any OrderImportStore {
        try #require(context.store as? any OrderImportStore)
    }

    private static func orders(_ titles: String, prefix: String? = "E") -> [StagedOrder] {
        titles.map { title in
            StagedOrder(externalID: prefix.map { "\($0)-\(title)" }, content: Context.content(String(title)))
        }
    }

    static let imports = [
        Self("Staged orders are seen by nobody, and created in parts once their import is accepted") { context in
            let store = try importStore(context)
            try await store.stage(orders("ab"), inImport: "1", at: Context.start)
            try await store.stage(orders("cde"), inImport: "1", at: Context.start)
            #expect(try await context.titles(BoardQuery(.open)) == [])
            #expect(try await store.continueImport("1", limit: 2, at: Context.start) == .init(created: 0, existing: 0, isFinished: true))
            #expect(try await store.unfinishedImports() == [])

            try await store.acceptImport("1", count: 5, digest: "d", by: Context.ada, at: Context.start)
            #expect(try await store.unfinishedImports() == ["1"])
            let first = try await store.continueImport("1", limit: 2, at: Context.start)
            #expect(first == .init(created: 2, existing: 0, isFinished: false))
            #expect(try await context.titles(BoardQuery(.open)) == ["a", "b"])
            _ = try await store.continueImport("1", limit: 2, at: Context.start)
            let last = try await store.continueImport("1", limit: 2, at: Context.start)

            #expect(last == .init(created: 5, existing: 0, isFinished: true))
            #expect(try await context.titles(BoardQuery(.open)) == ["a", "b", "c", "d", "e"])
            #expect(try await store.unfinishedImports() == [])
            let id = try #require(try await store.orders(BoardQuery(.open)).orders.first?.id)
            #expect(try await store.history(of: id)?.events.map(\.actor) == [Context.ada])
        },
        Self("An external id creates one order, also over two imports") { context in
            let store = try importStore(context)
            for (id, titles) in [("1", "ab"), ("2", "bca")] {
                try await store.stage(orders(titles), inImport: id, at: Context.start)
                try await store.acceptImport(id, count: titles.count, digest: id, by: nil, at: Context.start)
            }

            #expect(try await store.continueImport("1", limit: 100, at: Context.start).created == 2)
            let second = try await store.continueImport("2", limit: 100, at: Context.start)

            #expect(second == .init(created: 1, existing: 2, isFinished: true))
            #expect(try await context.titles(BoardQuery(.open)) == ["a", "b", "c"])
        },
        Self("Orders without an external id are created by the first import of their file only") { context in
            let store = try importStore(context)
            for id in ["1", "2"] {
                try await store.stage(orders("ab", prefix: nil), inImport: id, at: Context.start)
                try await store.acceptImport(id, count: 2, digest: "same", by: nil, at: Context.start)
                _ = try await store.continueImport(id, limit: 100, at: Context.start)
            }
            try await store.stage(orders("ab", prefix: nil), inImport: "3", at: Context.start)
            try await store.acceptImport("3", count: 2, digest: "other", by: nil, at: Context.start)

            #expect(try await store.continueImport("2", limit: 100, at: Context.start) == .init(created: 0, existing: 2, isFinished: true))
            #expect(try await store.continueImport("3", limit: 100, at: Context.start).created == 2)
        },
        Self("Orders without an external id are not created after an import that skipped other rows of their file") { context in
            let store = try importStore(context)
            func accept(_ id: String, _ titles: String, prefix: String? = nil, digest: String) async throws -> ImportProgress {
                try await store.stage(orders(titles, prefix: prefix), inImport: id, at: Context.start)
                try await store.acceptImport(id, count: titles.count, digest: digest, by: nil, at: Context.start)
                return try await store.continueImport(id, limit: 100, at: Context.start)
            }

            #expect(try await accept("1", "ab", digest: "file 3").created == 2)
            #expect(try await accept("2", "ab", digest: "file 3") == .init(created: 0, existing: 2, isFinished: true))
            for (id, digest) in [("3", "file 2"), ("4", "file")] {
                await #expect(throws: OrderStoreError.rowsSkippedBefore) { try await accept(id, "ac", digest: digest) }
            }
            #expect(try await accept("5", "abc", prefix: "E", digest: "file").created == 3)
            #expect(try await accept("6", "a", digest: "fil").created == 1)
            #expect(try await store.unfinishedImports() == [])
        },
        Self("A discarded import leaves nothing, and an accepted one cannot be discarded") { context in
            let store = try importStore(context)
            for id in ["1", "2", "3"] { try await store.stage(orders("a", prefix: id), inImport: id, at: Context.start) }
            try await store.acceptImport("2", count: 1, digest: "d", by: nil, at: Context.start)

            try await store.discardImport("1")
            try await store.discardImport("2")
            try await store.discardImports(before: Context.start)
            try await store.acceptImport("3", count: 1, digest: "e", by: nil, at: Context.start)
            try await store.discardImports(before: Context.start + .seconds(1))

            #expect(try await store.continueImport("1", limit: 9, at: Context.start).created == 0)
            #expect(try await store.continueImport("2", limit: 9, at: Context.start).created == 1)
            #expect(try await store.continueImport("3", limit: 9, at: Context.start).created == 1)
        },
        Self("An import of which a part was discarded is not accepted, and each part renews its time") { context in
            let store = try importStore(context)
            try await store.stage(orders("ab"), inImport: "1", at: Context.start)
            try await store.stage(orders("c"), inImport: "1", at: Context.start + .seconds(60))
            try await store.discardImports(before: Context.start + .seconds(30))
            try await store.acceptImport("1", count: 3, digest: "d", by: nil, at: Context.start + .seconds(60))
            #expect(try await store.continueImport("1", limit: 9, at: Context.start).created == 3)

            try await store.stage(orders("de"), inImport: "2", at: Context.start)
            try await store.discardImports(before: Context.start + .seconds(30))
            try await store.stage(orders("f"), inImport: "2", at: Context.start + .seconds(60))
            await #expect(throws: OrderStoreError.importDiscarded) {
                try await store.acceptImport("2", count: 3, digest: "e", by: nil, at: Context.start)
            }
            #expect(try await store.unfinishedImports() == [])
        },
        Self("Created orders are changes of the feed") { context in
            let store = try importStore(context)
            let position = try await store.position()
            try await store.stage(orders("ab"), inImport: "1", at: Context.start)
            try await store.acceptImport("1", count: 2, digest: "d", by: Context.ada, at: Context.start)
            _ = try await store.continueImport("1", limit: 9, at: Context.start)

            #expect(try await store.changes(after: position, limit: 9).changes.count == 2)
        },
    ]
}
