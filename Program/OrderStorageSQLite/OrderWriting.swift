import GRDB
import OrderLifecycle
import OrderStorage

/// The writes of one decision, in the transaction that has made it.
struct OrderWriting {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Writes the events, the report, the content and the derived state of an order that exists; `OrderCreation` inserts new ones.
    func write(_ decision: OrderDecision, on order: StoredOrder) throws {
        if let content = decision.content { try update(content, order.id) }
        try write(decision.events, of: order)
        if let report = decision.report { try write(report, number: order.reports.count + 1, of: order) }
        if let number = decision.lastSettledReport { try settleReports(upTo: number, of: order.id) }
        if !decision.events.isEmpty { try updateState(decision.order, of: order.id) }
        if decision.isLeaseRenewed { try renewLease(decision.order.leaseEnd, of: order.id) }
        try updateOpenPlaces(order, decision)
    }

    private func update(_ content: OrderContent, _ id: Int) throws {
        try database.execute(
            sql: """
                INSERT INTO orderTexts (orderTexts, rowid, title, info, address)
                SELECT 'delete', id, title, info, address FROM orders WHERE id = ?
                """, arguments: [id])
        let assignments = OrderContent.columns.map { "\($0) = ?" }.joined(separator: ", ")
        // A new PIN is not locked by the wrong ones before it.
        try database.execute(
            sql: """
                UPDATE orders SET \(assignments), isDemo = 0, wrongPINs = CASE WHEN pin IS NOT ? THEN 0 ELSE wrongPINs END WHERE id = ?
                """, arguments: content.values() + [content.pin, id])
        try insertTexts(ofOrdersFrom: id, through: id)
    }

    /// Adds orders to the index of texts.
    func insertTexts(ofOrdersFrom first: Int, through last: Int) throws {
        let sql = """
            INSERT INTO orderTexts (rowid, title, info, address)
            SELECT id, title, info, address FROM orders WHERE id BETWEEN ? AND ? ORDER BY id
            """
        try database.cachedStatement(sql: sql).execute(arguments: [first, last])
        try database.cachedStatement(sql: "UPDATE orderMetadata SET textVersion = textVersion + 1").execute()
    }

    private func write(_ events: [OrderEvent], of order: StoredOrder) throws {
        var lifecycle = order.lifecycle
        for event in events {
            try database.cachedStatement(sql: "INSERT INTO orderEvents (orderID, number, event) VALUES (?, ?, ?)")
                .execute(arguments: [order.id, event.number, try JSONColumn.encode(event)])
            try database.cachedStatement(
                sql: "INSERT INTO orderChanges (orderID, event, previousHolder, wasOpen, milliseconds) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [
                order.id, event.number, lifecycle.state?.hasHolder == true ? lifecycle.holder?.rawValue : nil, lifecycle.state == .open,
                event.acceptanceTime.milliseconds,
            ])
            lifecycle.apply(event)
        }
    }

    private func write(_ report: OrderReport, number: Int, of order: StoredOrder) throws {
        try database.execute(
            sql: "INSERT INTO orderReports (orderID, number, report) VALUES (?, ?, ?)",
            arguments: [order.id, number, try JSONColumn.encode(report)])
        try database.execute(
            sql: "INSERT INTO orderChanges (orderID, report, previousHolder, wasOpen, milliseconds) VALUES (?, ?, ?, ?, ?)",
            arguments: [order.id, number, order.lifecycle.holder?.rawValue, false, report.acceptanceTime.milliseconds])
        try database.execute(sql: "UPDATE orders SET openReports = openReports + 1 WHERE id = ?", arguments: [order.id])
    }

    private func settleReports(upTo number: Int, of id: Int) throws {
        try database.execute(sql: "UPDATE orderReports SET isSettled = 1 WHERE orderID = ? AND number <= ?", arguments: [id, number])
        let count = "SELECT COUNT(*) FROM orderReports WHERE orderID = orders.id AND NOT isSettled"
        try database.execute(sql: "UPDATE orders SET openReports = (\(count)) WHERE id = ?", arguments: [id])
    }

    private func updateState(_ order: OrderLifecycle, of id: Int) throws {
        let sql = """
            UPDATE orders SET state = ?, fence = ?, holder = ?, heldSince = ?, leaseEnd = ?, deadline = ?, attempts = ?, eventCount = ?
            WHERE id = ?
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            (order.state ?? .open).rawValue, order.fence.rawValue, order.state == .open ? nil : order.holder?.rawValue,
            order.heldSince?.milliseconds, order.leaseEnd?.milliseconds, order.deadline?.milliseconds, order.attempts, order.eventCount, id,
        ])
    }

    private func renewLease(_ end: Timestamp?, of id: Int) throws {
        try database.execute(sql: "UPDATE orders SET leaseEnd = ? WHERE id = ?", arguments: [end?.milliseconds, id])
    }

    /// Adds an open order to the index of places, and removes others.
    private func updateOpenPlaces(_ order: StoredOrder, _ decision: OrderDecision) throws {
        let (wasOpen, isOpen) = (order.lifecycle.state == .open, decision.order.state == .open)
        let isMoved = wasOpen && isOpen && decision.content != nil
        if wasOpen, !isOpen || isMoved { try database.execute(sql: "DELETE FROM openPlaces WHERE id = ?", arguments: [order.id]) }
        if isOpen, !wasOpen || isMoved {
            try database.cachedStatement(sql: Self.insertPlaceSQL + " AND id = ?").execute(arguments: [order.id])
        }
    }

    /// Adds the open orders with a place.
    static let insertPlaceSQL = """
        INSERT INTO openPlaces SELECT id, latitude, latitude, longitude, longitude FROM orders WHERE state = 'open' AND latitude IS NOT NULL
        """
}
