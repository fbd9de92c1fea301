/// A delivery with the fields of every version of the service.
struct Delivery: Equatable, Sendable {
    /// Its index in the list, from 0.
    let id: Int
    /// Its id in version 2 of the service.
    let key: DeliveryKey
    let recipient: String
    let image: DeliveryImage
    /// The destination on the map. A few deliveries have none, as in the original service.
    let location: Location?
    let route: Route
    let sender: Sender
    /// Notes for the courier; may be empty.
    let remarks: String
    /// ISO 8601, with the UTC offset of the city.
    var pickupTime: String
    let feeCents: Int
    let surchargeCents: Int

    /// `Deliver flowers to Nadia Brandt`
    var description: String { "Deliver \(image.cargo.name) to \(recipient)" }
}

extension Delivery {
    /// An address and its coordinates in degrees.
    struct Location: Equatable, Sendable {
        let address: String
        let latitude: Double
        let longitude: Double
    }

    /// The addresses of the start and the end.
    struct Route: Equatable, Sendable {
        let start: String
        let end: String
    }

    /// The sender's contact details.
    struct Sender: Equatable, Sendable {
        let name: String
        let phone: String
        let email: String
    }
}
