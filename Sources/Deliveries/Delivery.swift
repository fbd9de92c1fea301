public import Foundation
public import LadingFeeds

/// One delivery: what is brought where, and what a server may tell beside that.
///
/// The first version of the service gives a title and a location, the later one a route, a sender and money. Texts are trimmed; what a server did not tell, or
/// told in a way that makes no sense, is nil or empty.
public struct Delivery: Identifiable, Hashable, Sendable, Codable {
    public var id: DeliveryID
    /// What it is, in the words of the server; empty in the later version, whose deliveries go by their route.
    public var title: String
    /// Where its picture is, of scheme http or https. Asking for it is on the word of the list: `DeliveryList.picture(at:sizeLimit:)`.
    public var imageURL: URL?
    /// Where it goes; nil also when the server says (0, 0).
    public var location: GeographicPoint?
    /// Where it goes, for people.
    public var address: String?
    /// Whether the document says that it is a favourite; nil where the document does not mention it.
    public var serverFavourite: Bool?

    public var route: DeliveryRoute?
    public var sender: DeliverySender?
    /// Notes for the courier; may be empty.
    public var remarks: String
    /// When it is to be picked up.
    public var pickup: Date?
    /// The offset from UTC, in seconds, of the zone in which the server writes `pickup`; nil where it names none.
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
    /// Whether it is a favourite as far as its document says; `StoredRecord.shown` includes marks that were made here.
    public var isFavourite: Bool {
        get { serverFavourite ?? false }
        set { serverFavourite = newValue }
    }
}

/// From where to where a delivery goes, for people; either may be empty.
public struct DeliveryRoute: Hashable, Sendable, Codable {
    public var start: String
    public var end: String

    public init(start: String, end: String) {
        self.start = start
        self.end = end
    }
}

/// Who sends a delivery; what is not known is empty.
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
