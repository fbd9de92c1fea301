public import Foundation
public import LadingRecords

/// A delivery: its destination, and the optional details that a server sends.
///
/// Version 1 of the service sends a title and a location, version 2 a route, a sender and fees. Texts are trimmed; missing and invalid
/// fields are nil or empty.
public struct Delivery: Identifiable, Hashable, Sendable, Codable {
    public var id: DeliveryID
    /// The server's description; empty in version 2, whose deliveries are identified by their route.
    public var title: String
    /// The image URL, http or https. It has the trust of its list: request it with `.discovered(in: list.url)`.
    public var imageURL: URL?
    /// The coordinates of the destination; nil also when the server sends (0, 0).
    public var location: GeographicPoint?
    /// The postal address of the destination.
    public var address: String?
    /// Whether the document marks the delivery as a favourite; nil where it does not mention favourites.
    public var serverFavourite: Bool?

    public var route: DeliveryRoute?
    public var sender: DeliverySender?
    /// Notes for the courier; may be empty.
    public var remarks: String
    /// The pickup time.
    public var pickup: Date?
    /// The offset from UTC of the zone in which the server writes `pickup`, in seconds; nil where it names none.
    public var pickupOffset: Int?
    public var fee: Money?
    public var surcharge: Money?

    private enum CodingKeys: String, CodingKey {
        case id, title, location, address, route, sender, remarks, pickup, pickupOffset, fee, surcharge
        case imageURL = "picture"
        case serverFavourite = "statedFavourite"
    }

    public init(
        id: DeliveryID, title: String = "", imageURL: URL? = nil, location: GeographicPoint? = nil, address: String? = nil,
        isFavourite: Bool? = nil, route: DeliveryRoute? = nil, sender: DeliverySender? = nil, remarks: String = "", pickup: Date? = nil,
        pickupOffset: Int? = nil, fee: Money? = nil, surcharge: Money? = nil
    ) {
        self.id = id
        self.title = title
        self.imageURL = imageURL
        self.location = location
        self.address = address
        self.serverFavourite = isFavourite
        self.route = route
        self.sender = sender
        self.remarks = remarks
        self.pickup = pickup
        self.pickupOffset = pickupOffset
        self.fee = fee
        self.surcharge = surcharge
    }
}

extension Delivery {
    /// Whether the document marks the delivery as a favourite; `StoredRecord.withLocalChanges` includes local marks.
    public var isFavourite: Bool {
        get { serverFavourite ?? false }
        set { serverFavourite = newValue }
    }
}

/// The start and end of a delivery as postal addresses; either may be empty.
public struct DeliveryRoute: Hashable, Sendable, Codable {
    public var start: String
    public var end: String

    public init(start: String, end: String) {
        self.start = start
        self.end = end
    }
}

/// The sender of a delivery; unknown fields are empty.
public struct DeliverySender: Hashable, Sendable, Codable {
    public var name: String
    public var phone: String
    public var email: String

    public init(name: String, phone: String = "", email: String = "") {
        self.name = name
        self.phone = phone
        self.email = email
    }
}
