import Foundation
import LadingRecords

/// The last confirmed favourite mark of a delivery: confirmed by the response to a write, or stated by a later document.
///
/// It is stored with the row, as a local change.
struct ConfirmedFavourite: Hashable, Sendable, Codable {
    /// The name of the local change.
    static let name = "favourite-taken"

    var isFavourite: Bool
    /// The idempotency key of the confirmed write.
    let key: String
    /// The client's timestamp of the user's action.
    let actionDate: Date
    /// The newest generation in the store when the write was confirmed.
    var generation: Int

    private enum CodingKeys: String, CodingKey {
        case isFavourite, key, generation
        case actionDate = "action"
    }

    /// Whether the document of a row overrides the confirmation.
    ///
    /// A document that does not mention favourites never does. The first refresh after `generation` may have been requested before the
    /// server confirmed the write, so it counts only when it states the same value. A later refresh always counts, also when another client
    /// changed the mark.
    func isReplaced(by row: (isFavourite: Bool?, generation: Int)?) -> Bool {
        guard let row, let stated = row.isFavourite, row.generation > generation else { return false }
        return stated == isFavourite || row.generation > generation + 1
    }
}

extension StoredRecord<Delivery> {
    var confirmedFavourite: ConfirmedFavourite? {
        localChanges[ConfirmedFavourite.name].flatMap { try? JSONDecoder().decode(ConfirmedFavourite.self, from: $0) }
    }
}
