import Testing

@testable import LadingFeeds

/// Tests of the results that are cached for equal queries.
@Suite struct QueryResultCacheTests {
    private static let queries = ["a", "b", "c"].map { LetterQuery(text: $0) }
    private static let lists = (0..<4).map { FeedSnapshot([LetterFeed.Letter(id: "\($0)")]) }

    private var results = QueryResultCache<LetterQuery, LetterFeed.Letter>(limit: 2)

    /// Returns the first row of each cached result, in the order of the queries.
    private mutating func rows(indexRevision: Int = 0) -> [String?] {
        var rows: [String?] = []
        for query in Self.queries { rows.append(results.snapshot(for: query, indexRevision: indexRevision)?.references[0].id) }
        return rows
    }

    @Test mutating func `The least recently used result is evicted beyond the limit`() {
        results.store(Self.lists[0], for: Self.queries[0], indexRevision: 0)
        results.store(Self.lists[1], for: Self.queries[1], indexRevision: 0)
        #expect(rows() == ["0", "1", nil])
        _ = results.snapshot(for: Self.queries[0], indexRevision: 0)

        results.store(Self.lists[2], for: Self.queries[2], indexRevision: 0)

        #expect(rows() == ["0", nil, "2"])
    }

    @Test mutating func `A result replaces that of an equal query and no other`() {
        results.store(Self.lists[0], for: Self.queries[0], indexRevision: 0)
        results.store(Self.lists[1], for: Self.queries[1], indexRevision: 0)

        results.store(Self.lists[3], for: Self.queries[0], indexRevision: 1)

        #expect(rows() == [nil, "1", nil])
        #expect(rows(indexRevision: 1) == ["3", nil, nil])
    }
}
