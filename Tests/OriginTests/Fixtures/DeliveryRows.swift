import Foundation
import HummingbirdTesting
import NIOCore
import Testing

/// A row of `/deliveries` or `/v1/deliveries`, decoded independently of the server.
struct DeliveryRow: Decodable, Equatable {
    struct Location: Decodable, Equatable {
        let lat: Double
        let lng: Double
        let address: String
    }

    let id: Int
    let description: String
    let imageUrl: String
    let location: Location?
    let favourite: Bool?
}

/// A row of `/v2/deliveries`.
struct SecondVersionDeliveryRow: Decodable, Equatable {
    struct Route: Decodable, Equatable {
        let start: String
        let end: String
    }

    struct Sender: Decodable, Equatable {
        let phone: String
        let name: String
        let email: String
    }

    let id: String
    let remarks: String
    let pickupTime: String
    let goodsPicture: String
    let deliveryFee: String
    let surcharge: String
    let route: Route
    let sender: Sender
    let isFavourite: Bool
}

extension TestResponse {
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }
}
