import Foundation
import HTTPTypes
import LadingHTTP
import LadingOutbox
public import LadingRecords

/// A refused favourite mark that no user has seen yet. It is stored with the row to survive a restart.
struct StoredRejection: Hashable, Sendable, Codable {
    /// The name of the local change.
    static let name = "favourite-refused"

    let isFavourite: Bool
    let key: String
    /// The URL and the status of the rejection; nil without a response.
    var url: URL?
    var status: Int?
    /// The description of the error; nil for an expired write.
    var reason: String?

    init(_ rejection: FavouriteRejection) {
        (isFavourite, key) = (rejection.isFavourite, rejection.key.rawValue)
        guard case .refused(let error) = rejection.reason else { return }
        reason = "\(error)"
        if case BackendError.status(let status, let url, _) = error { (self.status, self.url) = (status, url) }
    }

    /// - Parameter receipt: The receipt of a refused or expired write.
    init(_ receipt: OutboxReceipt, isFavourite: Bool) {
        (self.isFavourite, key, reason) = (isFavourite, receipt.id.rawValue, receipt.reason)
    }

    /// Returns the rejection in its public form; nil when the stored key is invalid.
    func rejection(of id: DeliveryID) -> FavouriteRejection? {
        guard let key = IdempotencyKey(rawValue: key) else { return nil }
        let cause: FavouriteRejection.Reason =
            if let status, let url {
                .refused(BackendError.status(status, url))
            } else if let reason {
                .refused(RecordedReason(description: reason))
            } else {
                .expired
            }
        return FavouriteRejection(id: id, isFavourite: isFavourite, key: key, reason: cause)
    }

    /// The description of an error from an earlier run of the program.
    private struct RecordedReason: Error, CustomStringConvertible {
        let description: String
    }
}

extension StoredRecord<Delivery> {
    /// The rejection of a mark of this row that no user has seen yet; see `DeliveryFavourites.acknowledge(_:)`.
    public var unacknowledgedRejection: FavouriteRejection? {
        localChanges[StoredRejection.name].flatMap { try? JSONDecoder().decode(StoredRejection.self, from: $0) }?.rejection(of: row.id)
    }
}
