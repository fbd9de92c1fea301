package import GRDB
package import OrderLifecycle
package import OrderStorage

extension SQLiteOrderStore {
    /// Replaces the demo's orders with others, and begins a new epoch.
    ///
    /// Orders with events after their creation stay, and other orders too.
    ///
    /// - Parameter onIndexing: Called while the orders are indexed, with the number of completed steps and of all.
    package static func replaceDemo(
        with orders: some Sequence<(id: Int, content: OrderContent)>, in database: Database, onIndexing: (Int, Int) -> Void = { _, _ in }
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM orderEvents WHERE orderID IN (SELECT id FROM orders WHERE isDemo AND eventCount = 1);
                DELETE FROM orders WHERE isDemo AND eventCount = 1;
                """)
        let columns = OrderContent.columns
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.makeStatement(
            sql: "INSERT INTO orders (id, isDemo, \(columns.joined(separator: ", "))) VALUES (?, 1, \(marks)) ON CONFLICT (id) DO NOTHING")
        for (id, content) in orders { try statement.execute(arguments: [id] + content.values()) }
        try completeInsertedOrders(in: database, onProgress: onIndexing)
        try beginEpoch(in: database)
    }

    /// Sets the times by which the demo's orders are due, where they have passed.
    ///
    /// - Parameter time: Returns the time of a text such as `May, 15th 16:00`.
    package func setTimesOfDemo(at now: Timestamp, _ time: @escaping @Sendable (String) -> Timestamp?) async throws {
        try await write { database in
            let isPassed = "isDemo AND (orders.due IS NULL OR orders.due < \(now.milliseconds))"
            let texts = try String.fetchAll(database, sql: "SELECT DISTINCT deliveryDate FROM orders WHERE \(isPassed)")
            guard !texts.isEmpty else { return }
            let times = texts.compactMap { text in time(text).map { (text, $0.milliseconds) } }
            let json = try JSONColumn.encode(Dictionary(times) { first, _ in first })
            // With an index of the times: a search of the JSON for each order takes 20 times as long.
            try database.execute(sql: "CREATE TEMP TABLE demoTimes (text TEXT PRIMARY KEY, due INTEGER) WITHOUT ROWID")
            try database.execute(sql: "INSERT INTO demoTimes SELECT key, value FROM json_each(?)", arguments: [json])
            try database.execute(
                sql: """
                    UPDATE orders SET due = demoTimes.due FROM demoTimes WHERE demoTimes.text = orders.deliveryDate AND \(isPassed);
                    DROP TABLE demoTimes;
                    """)
        }
    }
}
