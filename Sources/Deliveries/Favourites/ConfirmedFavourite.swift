import Foundation
import LadingFeeds
import LadingHTTP

/// The last confirmed favourite mark of a delivery: confirmed by the answer to a write, or stated by a later document.
///
/// It is stored beside the row, under a name of its own.
struct ConfirmedFavourite: Hashable, Sendable, Codable {
    /// The name of the local change that it is.
    static let name = "favourite-taken"

    var isFavourite: Bool
    /// The write that was confirmed.
    let key: String
    /// When it was decided.
    let actionDate: Date
    /// The newest refresh that had stored anything when the write was confirmed.
    var generation: Int

    private enum CodingKeys: String, CodingKey {
        case isFavourite, key, generation
        case actionDate = "action"
    }

    /// Whether the document of a row overrides the confirmation.
    ///
    /// A document that does not mention favourites never does. The refresh behind the newest may have been requested before the server confirmed the write,
    /// so it counts only when it states the same. The one behind that began later: what it states holds, also when somebody has changed it elsewhere.
    func isOverridden(by row: (isFavourite: Bool?, generation: Int)?) -> Bool {
        guard let row, let stated = row.isFavourite, row.generation > generation else { return false }
        return stated == isFavourite || row.generation > generation + 1
    }
}

extension StoredRecord<Delivery> {
    var confirmedFavourite: ConfirmedFavourite? {
        localChanges[ConfirmedFavourite.name].flatMap { try? JSONDecoder().decode(ConfirmedFavourite.self, from: $0) }
    }
}
