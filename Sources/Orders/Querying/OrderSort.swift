/// A sort order of an order list.
public enum OrderSort: String, CaseIterable, Sendable {
    /// Currency, then ascending price; orders without a price come last, as in `priceDescending`.
    case price
    /// Currency, then descending price.
    case priceDescending = "priceDown"
    /// Ascending distance.
    case nearest
    /// Ascending delivery time; orders without a readable date come last.
    case earliest = "soonest"
}
