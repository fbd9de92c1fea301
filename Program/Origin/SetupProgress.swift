/// The progress of a step that prepares the database of an origin, which is slow with many rows.
package struct SetupProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// The tables of an earlier release are replaced.
        case upgrade
        /// The demo's orders are stored.
        case orders
        /// The stored orders are indexed.
        case indexes
        /// The demo's deliveries are stored.
        case deliveries
    }

    package let step: Step
    package let completed: Int
    package let total: Int
}
