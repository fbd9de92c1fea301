/// The receipts of an outbox, a bounded number of them, and what was decided last of each subject.
struct OutboxHistory: Sendable {
    private let limit: Int
    private var receipts: [IdempotencyKey: OutboxReceipt] = [:]
    /// Oldest first.
    private var order: [IdempotencyKey] = []
    private var latestSent: [String: OutboxReceipt] = [:]

    /// - Parameter receipts: In the order in which they ended.
    init(_ receipts: [OutboxReceipt] = [], limit: Int) {
        self.limit = limit
        for receipt in receipts { add(receipt) }
    }

    subscript(key: IdempotencyKey) -> OutboxReceipt? { receipts[key] }

    /// Oldest first.
    var all: [OutboxReceipt] { order.compactMap { receipts[$0] } }

    /// The last decision about a subject that the server has taken.
    func lastSent(about subject: String) -> OutboxReceipt? { latestSent[subject] }

    /// Whether something later was taken than what an entry says that says all.
    func supersedes(_ entry: OutboxEntry) -> Bool {
        entry.supersedesEarlier && latestSent[entry.subject].map { $0.effectiveDate > entry.effectiveDate } ?? false
    }

    mutating func add(_ receipt: OutboxReceipt) {
        guard receipts.updateValue(receipt, forKey: receipt.id) == nil else { return }
        order.append(receipt.id)
        if receipt.outcome == .sent, latestSent[receipt.subject].map({ $0.effectiveDate <= receipt.effectiveDate }) ?? true {
            latestSent[receipt.subject] = receipt
        }
        if order.count > limit { evictOldest() }
    }

    private mutating func evictOldest() {
        guard let receipt = receipts.removeValue(forKey: order.removeFirst()) else { return }
        if latestSent[receipt.subject]?.id == receipt.id { latestSent[receipt.subject] = nil }
    }
}
