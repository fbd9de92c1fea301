/// A grocery order as the service publishes it.
struct Order: Equatable, Sendable {
    let id: Int
    let title: String
    /// What the courier should know.
    let info: String
    /// An amount in `currency`, written with a point: `42.50`.
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
    /// Where an order goes: an address, its point in degrees, and the circle around it in which the customer can be.
    struct Location: Equatable, Sendable {
        let address: String
        let radius: Double
        let radiusUnit: String
        let latitude: Double
        let longitude: Double
    }

    /// So much of one grocery.
    struct Item: Equatable, Sendable {
        /// The id of the grocery.
        let id: Int
        let quantity: String
        let unit: String
    }
}
