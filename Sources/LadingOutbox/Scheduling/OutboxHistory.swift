import TextComparison

/// The latest receipts of an outbox, up to a limit, and the last accepted decision about each subject.
struct OutboxHistory: Sendable {
    private let limit: Int
    private var receipts: [IdempotencyKey: OutboxReceipt] = [:]
    /// The keys of the receipts, oldest first.
    private var order: [IdempotencyKey] = []
    private var latestSent: [BytewiseText: OutboxReceipt] = [:]

    /// - Parameter receipts: The receipts in the order in which their entries ended.
    init(_ receipts: [OutboxReceipt] = [], limit: Int) {
        self.limit = limit
        for receipt in receipts { add(receipt) }
    }

    subscript(key: IdempotencyKey) -> OutboxReceipt? { receipts[key] }

    /// All receipts, oldest first.
    var all: [OutboxReceipt] { order.compactMap { receipts[$0] } }

    /// Returns the receipt of the last decision about a subject that the server accepted.
    func lastSent(about subject: String) -> OutboxReceipt? { latestSent[BytewiseText(subject)] }

    /// Whether the server has accepted a later decision than that of an entry which supersedes others.
    func supersedes(_ entry: OutboxEntry) -> Bool {
        entry.supersedesPrevious && latestSent[BytewiseText(entry.subject)].map { $0.effectiveDate > entry.effectiveDate } ?? false
    }

    mutating func add(_ receipt: OutboxReceipt) {
        guard receipts.updateValue(receipt, forKey: receipt.id) == nil else { return }
        order.append(receipt.id)
        if receipt.outcome == .sent, latestSent[BytewiseText(receipt.subject)].map({ $0.effectiveDate <= receipt.effectiveDate }) ?? true {
            latestSent[BytewiseText(receipt.subject)] = receipt
        }
        if order.count > limit { evictOldest() }
    }

    private mutating func evictOldest() {
        guard let receipt = receipts.removeValue(forKey: order.removeFirst()) else { return }
        if latestSent[BytewiseText(receipt.subject)]?.id == receipt.id { latestSent[BytewiseText(receipt.subject)] = nil }
    }
}
