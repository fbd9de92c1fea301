import Foundation
import HTTPTypes
import LadingHTTP

/// Marking a delivery as a favourite, or taking the mark away, and when that was decided.
///
/// On the wire: `{"at":"2026-05-15T12:00:00Z","favourite":true}`.
struct FavouriteAction: Hashable, Sendable {
    let isFavourite: Bool
    let date: Date

    /// The request that tells it to the server; the same for the same action, always, because a repeated key is known by it.
    func request(of id: DeliveryID, in list: DeliveryList) -> OutboxRequest {
        let body = #"{"at":"\#(timestamp)","favourite":\#(isFavourite)}"#
        return OutboxRequest(
            method: .put, url: list.favouriteURL(of: id), headers: [.contentType: "application/json"], body: Array(body.utf8))
    }

    /// What stands, as a request, or a reply to one, says it; nil when it says nothing of the kind.
    static func isFavourite(in body: [UInt8]) -> Bool? {
        try? JSONDecoder().decode(Wire.self, from: Data(body)).favourite
    }

    private struct Wire: Decodable {
        let favourite: Bool
    }

    /// To the millisecond (RFC 3339): `2026-05-15T12:00:00.250Z`.
    private var timestamp: String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let second = Date(timeIntervalSince1970: Double(milliseconds - fraction) / 1_000).formatted(.iso8601)
        return fraction == 0 ? second : "\(second.dropLast()).\(String(1_000 + fraction).dropFirst())Z"
    }
}
