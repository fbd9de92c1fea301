/// A sort order of an order list.
public enum OrderSort: String, CaseIterable, Sendable {
    /// By currency, then by ascending price; orders without a price come last, as in `priceDescending`.
    case price
    /// By currency, then by descending price.
    case priceDescending = "priceDown"
    /// By ascending distance.
    case nearest
    /// By ascending delivery time; orders without a readable date come last.
    case soonest
}
