import JSONWriting

/// The documents of the deliveries service as JSON. Each version has its own members in their own order.
enum DeliveryDocuments {
    /// A delivery in a list, and whether it is a favourite.
    typealias Entry = (delivery: Delivery, isFavourite: Bool)

    /// Returns a page of a list: an array without a total. A page with fewer rows than requested is the last.
    ///
    /// - Parameter imageURL: Returns the absolute URL of an image.
    static func page(_ entries: [Entry], of version: DeliveryVersion, imageURL: (DeliveryImage) -> String) -> String {
        var json = JSONWriter(.unicode)
        json.array(entries) { entry, json in
            switch version {
            case .original: write(entry.delivery, imageURL, nil, to: &json)
            case .first: write(entry.delivery, imageURL, entry.isFavourite, to: &json)
            case .second: writeSecondVersion(entry, imageURL, to: &json)
            }
        }
        return json.text
    }

    /// Writes a row of the original version or of version 1; a delivery without a location has no such member.
    ///
    /// `{"id":7,"description":"Deliver flowers to Nadia Brandt","imageUrl":"http://…","location":{"lat":40.7,"lng":-73.9,"address":"…"}}`
    private static func write(
        _ delivery: Delivery, _ imageURL: (DeliveryImage) -> String, _ isFavourite: Bool?, to json: inout JSONWriter
    ) {
        json.object { json in
            json.field("id", number: delivery.id)
            json.field("description", delivery.description)
            json.field("imageUrl", imageURL(delivery.image))
            if let location = delivery.location {
                json.field("location") { json in
                    json.field("lat", number: location.latitude)
                    json.field("lng", number: location.longitude)
                    json.field("address", location.address)
                }
            }
            if let isFavourite { json.field("favourite", flag: isFavourite) }
        }
    }

    /// Writes a row of version 2.
    ///
    /// `{"id":"5dd5f3a7…","remarks":"…","pickupTime":"2026-05-20T08:15:00-04:00","goodsPicture":"http://…","deliveryFee":"$92.14",`
    /// `"surcharge":"$0.00","route":{"start":"…","end":"…"},"sender":{"phone":"…","name":"…","email":"…"},"isFavourite":false}`
    private static func writeSecondVersion(_ entry: Entry, _ imageURL: (DeliveryImage) -> String, to json: inout JSONWriter) {
        let (delivery, isFavourite) = entry
        json.object { json in
            json.field("id", delivery.key.text)
            json.field("remarks", delivery.remarks)
            json.field("pickupTime", delivery.pickupTime)
            json.field("goodsPicture", imageURL(delivery.image))
            json.field("deliveryFee", money(delivery.feeCents))
            json.field("surcharge", money(delivery.surchargeCents))
            json.field("route") { json in
                json.field("start", delivery.route.start)
                json.field("end", delivery.route.end)
            }
            json.field("sender") { json in
                json.field("phone", delivery.sender.phone)
                json.field("name", delivery.sender.name)
                json.field("email", delivery.sender.email)
            }
            json.field("isFavourite", flag: isFavourite)
        }
    }

    /// Returns an amount in dollars: `$92.14`, `$1,092.14`.
    static func money(_ cents: Int) -> String {
        // A damaged database may contain a negative amount.
        let (dollars, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        let (thousands, ones) = dollars.quotientAndRemainder(dividingBy: 1_000)
        let start = thousands == 0 ? "\(ones)" : "\(thousands),\(String(repeating: "0", count: 3 - "\(ones)".count))\(ones)"
        return "\(cents < 0 ? "-" : "")$\(start).\(rest < 10 ? "0" : "")\(rest)"
    }
}
