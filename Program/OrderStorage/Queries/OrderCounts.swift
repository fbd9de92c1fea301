package import OrderLifecycle

/// The numbers of orders.
package struct OrderCounts: Hashable, Sendable {
    /// The number of orders in each state; none for a state without orders.
    package let states: [OrderState: Int]
    /// The number of orders that need attention.
    package let attention: Int
    /// The number of orders that each courier has.
    package let held: [PersonID: Int]

    package init(states: [OrderState: Int], attention: Int, held: [PersonID: Int]) {
        self.states = states
        self.attention = attention
        self.held = held
    }
}
