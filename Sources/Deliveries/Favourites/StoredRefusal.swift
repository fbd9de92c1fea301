import Foundation
import HTTPTypes
public import LadingFeeds
import LadingHTTP

/// A refused favourite mark that no reader has been shown yet. It is stored beside the row, so that it survives a restart.
struct StoredRefusal: Hashable, Sendable, Codable {
    /// The name of the local change that it is.
    static let name = "favourite-refused"

    let isFavourite: Bool
    let key: String
    /// The URL and the status of the refusal; nil where there was no response.
    var url: URL?
    var status: Int?
    /// The reason in words; nil for a write that expired.
    var reason: String?

    init(_ refusal: FavouriteRefusal) {
        (isFavourite, key) = (refusal.isFavourite, refusal.key.rawValue)
        guard case .refused(let error) = refusal.reason else { return }
        reason = "\(error)"
        if case BackendError.status(let status, let url, _) = error { (self.status, self.url) = (status, url) }
    }

    /// - Parameter receipt: That of a write that was refused or expired.
    init(_ receipt: OutboxReceipt, isFavourite: Bool) {
        (self.isFavourite, key, reason) = (isFavourite, receipt.id.rawValue, receipt.reason)
    }

    /// The refusal as it is reported; nil when the note is damaged.
    func refusal(of id: DeliveryID) -> FavouriteRefusal? {
        guard let key = IdempotencyKey(rawValue: key) else { return nil }
        let cause: FavouriteRefusal.Reason =
            if let status, let url {
                .refused(BackendError.status(status, url))
            } else if let reason {
                .refused(RecordedReason(description: reason))
            } else {
                .expired
            }
        return FavouriteRefusal(id: id, isFavourite: isFavourite, key: key, reason: cause)
    }

    /// The words of an error that a former run of the program met.
    private struct RecordedReason: Error, CustomStringConvertible {
        let description: String
    }
}

extension StoredRecord<Delivery> {
    /// The refusal of a mark of this row that no reader has been shown yet; see `DeliveryFavourites.acknowledge`.
    public var unacknowledgedRefusal: FavouriteRefusal? {
        localChanges[StoredRefusal.name].flatMap { try? JSONDecoder().decode(StoredRefusal.self, from: $0) }?.refusal(of: row.id)
    }
}
