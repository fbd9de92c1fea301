/// A version of the deliveries service, by the path of its list.
enum DeliveryVersion: String, CaseIterable, Sendable {
    /// As it was published.
    case original = "/deliveries"
    /// The same, and whether each row is a favourite.
    case first = "/v1/deliveries"
    /// Other names, ids that are text, and more of each row.
    case second = "/v2/deliveries"
}
