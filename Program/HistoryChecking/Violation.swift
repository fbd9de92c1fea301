/// A broken invariant, with the records that show it.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The invariants of the life of an order, by their numbers in its documentation.
    package enum Invariant: Int, CaseIterable, Sendable {
        case oneHolder = 1
        case staleFence = 2
        case exactlyOnce = 3
        case path = 4
        case monotonicReads = 5
        case proof = 7
        case lease = 8
    }

    package let invariant: Invariant
    package let order: Int
    package let text: String
    /// The records that suffice to see the violation, in their order.
    package let records: [HistoryRecord]

    package var description: String { "invariant \(invariant.rawValue), order \(order): \(text)" }
}
