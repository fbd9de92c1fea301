import Foundation
import LadingFeeds
import LadingHTTP

/// What a server has last taken, or said to stand, of a favourite mark, and how far rows were refreshed then.
///
/// It lies beside the row, under a name of its own.
struct TakenFavourite: Hashable, Sendable, Codable {
    /// The name of the local change that it is.
    static let name = "favourite-taken"

    let isFavourite: Bool
    /// The write that was taken.
    let key: String
    /// When it was decided.
    let action: Date
    /// The newest refresh that had stored anything.
    var generation: Int

    /// Whether a row was stored by a refresh that knows of it.
    ///
    /// The refresh behind the newest may have been asked for before the server took the write, so it counts only when it says the same. The one behind that
    /// began later: what it says stands, also when somebody has changed it elsewhere.
    func isKnown(to row: (isFavourite: Bool, generation: Int)?) -> Bool {
        guard let row, row.generation > generation else { return false }
        return row.isFavourite == isFavourite || row.generation > generation + 1
    }
}

extension StoredRecord<Delivery> {
    var takenFavourite: TakenFavourite? {
        localChanges[TakenFavourite.name].flatMap { try? JSONDecoder().decode(TakenFavourite.self, from: $0) }
    }
}
