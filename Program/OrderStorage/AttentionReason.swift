package import OrderLifecycle

/// A reason for which a dispatcher looks at an order, the most urgent first.
package enum AttentionReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// A step was reported, and is not settled.
    case report
    /// The deadline has passed while a courier has the order.
    case overdue
    /// The order comes back.
    case returning
    /// An attempt to deliver has failed.
    case attempted
    /// The lease ends soon, and nobody has picked the order up.
    case leaseEnding
    /// The order is due soon, and nobody has taken it.
    case notClaimed = "untaken"

    /// The time before the end of a lease in which the order needs attention, in milliseconds.
    package static let leaseNotice: Int64 = 5 * 60_000
    /// The time before an open order is due in which it needs attention, in milliseconds.
    package static let dueNotice: Int64 = 30 * 60_000
}

extension OrderRecord {
    /// The reasons for which a dispatcher looks at the order, the most urgent first.
    package func attention(at now: Timestamp) -> [AttentionReason] {
        func isReached(_ time: Timestamp?, notice: Int64 = 0) -> Bool {
            time.map { $0.milliseconds <= now.milliseconds + notice } ?? false
        }
        return AttentionReason.allCases.filter { reason in
            switch reason {
            case .report: openReports > 0
            case .overdue: state.hasHolder && isReached(deadline)
            case .returning: state == .returning
            case .attempted: (state == .pickedUp || state == .arrived) && attempts > 0
            case .leaseEnding: state == .claimed && isReached(leaseEnd, notice: AttentionReason.leaseNotice)
            case .notClaimed: state == .open && isReached(content.due, notice: AttentionReason.dueNotice)
            }
        }
    }
}
