import GRDB
import OrderLifecycle
import OrderStorage

/// The creation of orders in one transaction.
///
/// Each order is inserted by itself; what follows from that, such as its event, is inserted at the end for all of them together, in a fraction of the time.
struct OrderCreation {
    private let database: Database
    private let emptyOrder: OrderLifecycle
    private let firstID: Int
    private var nextID: Int
    /// The events of each order, which differ only between transactions.
    private var events: [OrderEvent] = []

    init(_ database: Database, limits: LifecycleLimits) throws {
        self.database = database
        var order = OrderLifecycle(limits: limits)
        order.beginEpoch(at: try SQLiteOrderStore.fenceFloor(in: database))
        emptyOrder = order
        firstID = try SQLiteOrderStore.lastOrderID(in: database) + 1
        nextID = firstID
    }

    /// Decides a command that creates an order, and inserts the order.
    ///
    /// - Parameter now: The same time for all orders of the transaction.
    mutating func create(_ command: OrderStoreCommand, at now: Timestamp) throws -> StoredVerdict {
        let sql = "SELECT id FROM orders WHERE externalID = ?"
        var externalID: String?
        if case .create(_, let id) = command.change { externalID = id }
        if let externalID, let other = try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [externalID]) {
            return StoredVerdict(.externalIDTaken(order: other), order: nil, state: nil, version: nil, acceptanceTime: now)
        }
        let decision = StoredOrder(id: nextID, lifecycle: emptyOrder).decision(on: command, at: now)
        if let content = decision.content {
            let state = decision.order
            let values: StatementArguments = [nextID, externalID, (state.state ?? .open).rawValue, state.fence.rawValue, state.eventCount]
            try database.cachedStatement(sql: Self.insertSQL).execute(arguments: values + content.values())
            events = decision.events
            nextID += 1
        }
        return decision.verdict
    }

    private static let insertSQL = {
        let columns = ["id", "externalID", "state", "fence", "eventCount"] + OrderContent.columns
        return "INSERT INTO orders (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }()

    /// Inserts the events, the changes and the index entries of the created orders.
    func finish() throws {
        guard nextID > firstID else { return }
        for event in events {
            try database.cachedStatement(sql: "INSERT INTO orderEvents (orderID, number, event) SELECT id, ?, ? FROM orders WHERE id >= ?")
                .execute(arguments: [event.number, try JSONColumn.encode(event), firstID])
            let changes = """
                INSERT INTO orderChanges (orderID, event, previousHolder, wasOpen, milliseconds)
                SELECT id, ?, NULL, 0, ? FROM orders WHERE id >= ? ORDER BY id
                """
            try database.cachedStatement(sql: changes).execute(arguments: [event.number, event.acceptanceTime.milliseconds, firstID])
        }
        try OrderWriting(database).insertTexts(ofOrdersFrom: firstID, through: nextID - 1)
        try database.cachedStatement(sql: OrderWriting.insertPlaceSQL + " AND id >= ?").execute(arguments: [firstID])
    }
}
