/// A version of the deliveries service, by the path of its list.
enum DeliveryVersion: String, CaseIterable, Sendable {
    /// The service as originally published.
    case original = "/deliveries"
    /// The original rows with a favourite flag.
    case first = "/v1/deliveries"
    /// Renamed members, text ids and more fields per row.
    case second = "/v2/deliveries"
}
