import Foundation

/// Pages of deliveries in the format of the service.
enum DeliveryWire {
    static let list = URL(string: "http://a.org/deliveries")!

    /// Returns the URL of a page.
    static func page(_ offset: Int) -> String { "\(list)?offset=\(offset)&limit=20" }

    static func rows(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map(row).joined(separator: ",") + "]"
    }

    private static func row(_ id: Int) -> String {
        """
        {"id":\(id),"description":"Delivery \(id)","imageUrl":"http://a.org/\(id).svg",\
        "location":{"lat":51.5,"lng":-0.12,"address":"\(id) Main Street"}}
        """
    }
}
