import Foundation
import LadingRecords

/// An element of the array. Decoding never fails: an invalid row has no delivery.
///
/// Every row may have the members of both versions; members of the wrong type count as missing, and unknown ones are ignored.
struct DeliveryRow: Decodable {
    enum Member: String, CodingKey {
        case id, description, imageUrl, location, lat, lng, address, favourite
        case remarks, pickupTime, goodsPicture, deliveryFee, surcharge, route, start, end, sender, name, phone, email, isFavourite
    }

    /// The delivery; nil when the row has no id or no human-readable content.
    let delivery: Delivery?

    init(from decoder: any Decoder) {
        guard let row = try? decoder.container(keyedBy: Member.self), let id = row.id else {
            delivery = nil
            return
        }
        let list = decoder.userInfo[DeliveryDocument.listKey] as? URL
        let location = row.object(.location)
        let route = row.object(.route).flatMap { DeliveryRoute($0) }
        let parsed = Delivery(
            id: id,
            title: row.text(.description) ?? "",
            imageURL: row.url(.imageUrl, relativeTo: list) ?? row.url(.goodsPicture, relativeTo: list),
            location: location.flatMap { GeographicPoint($0) },
            address: location?.text(.address) ?? route.flatMap { $0.end.isEmpty ? nil : $0.end },
            isFavourite: row.flag(.favourite) ?? row.flag(.isFavourite),
            route: route,
            sender: row.object(.sender).flatMap { DeliverySender($0) },
            remarks: row.text(.remarks) ?? "",
            pickup: row.date(.pickupTime),
            pickupOffset: row.text(.pickupTime).flatMap { TimestampReader.offset(in: $0) },
            fee: row.text(.deliveryFee).map { Money($0) },
            surcharge: row.text(.surcharge).map { Money($0) })
        delivery = parsed.hasContent ? parsed : nil
    }
}

private typealias Members = KeyedDecodingContainer<DeliveryRow.Member>

extension Delivery {
    fileprivate var hasContent: Bool {
        !title.isEmpty || address != nil || route != nil || sender != nil || !remarks.isEmpty || location != nil
    }
}

extension DeliveryRoute {
    fileprivate init?(_ members: Members) {
        self.init(start: members.text(.start) ?? "", end: members.text(.end) ?? "")
        if start.isEmpty, end.isEmpty { return nil }
    }
}

extension DeliverySender {
    fileprivate init?(_ members: Members) {
        self.init(name: members.text(.name) ?? "", phone: members.text(.phone) ?? "", email: members.text(.email) ?? "")
        if name.isEmpty, phone.isEmpty, email.isEmpty { return nil }
    }
}

extension GeographicPoint {
    /// Returns nil for (0, 0), in the open sea: servers send it for an unknown location.
    fileprivate init?(_ members: Members) {
        guard let latitude = members.number(.lat), let longitude = members.number(.lng), latitude != 0 || longitude != 0 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
