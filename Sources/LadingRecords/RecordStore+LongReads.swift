// Reads of more rows than one call of a store returns. A row that moves between two calls may be missing: the store notifies its observers of the
// change, and they read again.

extension RecordStore {
    /// Returns the rows in a range of places, in order, with one call for each `readLimit` places.
    ///
    /// - Throws: As `records(in:)`.
    func allRecords(in places: Range<Int>) async throws -> [StoredRecord<Row>] {
        guard places.count > Self.readLimit else { return try await records(in: places).records }
        var found: [StoredRecord<Row>] = []
        var ids: Set<Row.ID> = []
        var start = places.lowerBound
        while start < places.upperBound {
            let end = min(places.upperBound, start + Self.readLimit)
            let slice = try await records(in: start..<end)
            // A row that was read may have moved to a later place.
            found += slice.records.filter { ids.insert($0.id).inserted }
            start = end
        }
        return found
    }

    /// Returns at most `limit` rows in the order of a query, with one call for each `readLimit` rows.
    ///
    /// - Throws: As `records(_:from:limit:)`.
    func allRecords(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row> {
        var found = RecordSlice<Row>()
        var cursor: ResultCursor? = start
        while let next = cursor, found.length < limit {
            let step = min(limit - found.length, Self.readLimit)
            let slice = try await records(query, from: next, limit: step)
            found.extend(with: slice, from: start)
            cursor = slice.length < step ? nil : slice.cursor(continuing: start)
        }
        return found
    }
}

extension RecordSlice {
    /// The number of rows, including those that could not be decoded.
    fileprivate var length: Int { records.count + unreadable }

    /// Returns the cursor of the rows that follow, in the direction of a cursor; nil without rows.
    fileprivate func cursor(continuing start: ResultCursor) -> ResultCursor? {
        switch start {
        case .before: records.first.map { .before($0.position) }
        case .first, .after, .index: records.last.map { .after($0.position) }
        }
    }

    /// Adds the rows that follow in the direction of a cursor.
    fileprivate mutating func extend(with slice: RecordSlice, from start: ResultCursor) {
        if case .before = start { records = slice.records + records } else { records += slice.records }
        unreadable += slice.unreadable
    }
}
