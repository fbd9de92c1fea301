/// A grocery order as the service publishes it.
struct Order: Equatable, Sendable {
    let id: Int
    let title: String
    /// Notes for the courier.
    let info: String
    /// An amount in `currency` with a decimal point: `42.50`.
    let price: String
    /// ISO 4217.
    let currency: String
    let itemCount: Int
    /// Free text such as `May, 15th 16:00`.
    var deliveryDate: String
    let location: Location
    let items: [Item]
}

extension Order {
    /// The destination of an order: an address, its coordinates in degrees, and the radius within which the customer can be.
    struct Location: Equatable, Sendable {
        let address: String
        let radius: Double
        let radiusUnit: String
        let latitude: Double
        let longitude: Double
    }

    /// An amount of one grocery.
    struct Item: Equatable, Sendable {
        /// The id of the grocery.
        let id: Int
        let quantity: String
        let unit: String
    }
}
