/// Something that somebody has brought to somebody else, with all that any version of the service tells of it.
struct Delivery: Equatable, Sendable {
    /// Its place in the list, from 0.
    let id: Int
    /// The id by which the later version of the service calls it.
    let key: DeliveryKey
    let recipient: String
    let image: DeliveryImage
    /// Where it goes on the map; a few are without, as real ones are.
    let location: Location?
    let route: Route
    let sender: Sender
    /// What the courier should know; may be empty.
    let remarks: String
    /// ISO 8601, with the offset of the city.
    var pickupTime: String
    let feeCents: Int
    let surchargeCents: Int

    /// `Deliver flowers to Nadia Brandt`
    var description: String { "Deliver \(image.cargo.rawValue) to \(recipient)" }
}

extension Delivery {
    /// An address and its point in degrees.
    struct Location: Equatable, Sendable {
        let address: String
        let latitude: Double
        let longitude: Double
    }

    /// From where to where, as addresses.
    struct Route: Equatable, Sendable {
        let start: String
        let end: String
    }

    /// Who sends it.
    struct Sender: Equatable, Sendable {
        let name: String
        let phone: String
        let email: String
    }
}
