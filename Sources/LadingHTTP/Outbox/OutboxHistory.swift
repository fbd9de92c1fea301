/// The receipts of an outbox, a bounded number of them, and what was decided last of each subject.
struct OutboxHistory: Sendable {
    private let limit: Int
    private var receipts: [IdempotencyKey: OutboxReceipt] = [:]
    /// Oldest first.
    private var order: [IdempotencyKey] = []
    private var newest: [String: OutboxReceipt] = [:]

    /// - Parameter receipts: In the order in which they ended.
    init(_ receipts: [OutboxReceipt] = [], limit: Int) {
        self.limit = limit
        for receipt in receipts { add(receipt) }
    }

    subscript(key: IdempotencyKey) -> OutboxReceipt? { receipts[key] }

    /// Oldest first.
    var all: [OutboxReceipt] { order.compactMap { receipts[$0] } }

    /// The last decision about a subject that the server has taken.
    func lastSent(about subject: String) -> OutboxReceipt? { newest[subject] }

    /// Whether something later was taken than what an entry says that says all.
    func outdoes(_ entry: OutboxEntry) -> Bool {
        entry.supersedes && newest[entry.subject].map { $0.decided > entry.decided } ?? false
    }

    mutating func add(_ receipt: OutboxReceipt) {
        guard receipts.updateValue(receipt, forKey: receipt.id) == nil else { return }
        order.append(receipt.id)
        if receipt.outcome == .sent, newest[receipt.subject].map({ $0.decided <= receipt.decided }) ?? true {
            newest[receipt.subject] = receipt
        }
        if order.count > limit { forgetOldest() }
    }

    private mutating func forgetOldest() {
        guard let receipt = receipts.removeValue(forKey: order.removeFirst()) else { return }
        if newest[receipt.subject]?.id == receipt.id { newest[receipt.subject] = nil }
    }
}
