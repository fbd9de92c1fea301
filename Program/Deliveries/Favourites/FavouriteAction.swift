import Foundation
import HTTPTypes
import LadingOutbox

/// A user's action that sets or clears a favourite mark, with its time.
///
/// On the wire: `{"at":"2026-05-15T12:00:00Z","favourite":true}`.
struct FavouriteAction: Hashable, Sendable {
    let isFavourite: Bool
    let date: Date

    /// Returns the request that sends the action. Equal actions have equal requests, because the outbox compares requests with repeated keys.
    func request(of id: DeliveryID, in list: DeliveryList) -> OutboxRequest {
        let body = #"{"at":"\#(timestamp)","favourite":\#(isFavourite)}"#
        return OutboxRequest(
            method: .put, url: list.favouriteURL(of: id), headers: [.contentType: "application/json"], body: Array(body.utf8))
    }

    /// Returns the mark in the body of a request or response; nil when there is none.
    static func isFavourite(in body: [UInt8]) -> Bool? {
        try? JSONDecoder().decode(Wire.self, from: Data(body)).favourite
    }

    private struct Wire: Decodable {
        let favourite: Bool
    }

    /// The time with milliseconds (RFC 3339): `2026-05-15T12:00:00.250Z`.
    private var timestamp: String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let second = Date(timeIntervalSince1970: Double(milliseconds - fraction) / 1_000).formatted(.iso8601)
        return fraction == 0 ? second : "\(second.dropLast()).\(String(1_000 + fraction).dropFirst())Z"
    }
}
