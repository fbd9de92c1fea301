/// An order that the rows of a list can be brought into.
public enum OrderSort: String, CaseIterable, Sendable {
    /// By currency, then from the lowest amount up; orders without a price come last, as in `priceDown`.
    case price
    /// By currency, then from the highest amount down.
    case priceDescending = "priceDown"
    /// From the nearest to the farthest.
    case nearest
    /// From the earliest delivery on; those whose date cannot be read come last.
    case soonest
}
