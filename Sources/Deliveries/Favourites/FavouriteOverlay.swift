import LadingFeeds

/// Decides what lies over a row of what was decided here about its favourite mark.
///
/// | there is | the mark shows |
/// |---|---|
/// | an action that waits or is under way | that action |
/// | otherwise a confirmed one that no later document has overridden | what the server confirmed |
/// | nothing else: all was refused, expired, or a later document states it | nothing: what the row states is shown |
///
/// A mark that a later document states is noted as confirmed: it still holds when the documents after it do not mention favourites.
struct FavouriteOverlay: Hashable, Sendable {
    let mark: FavouriteMark?
    let taken: TakenFavourite?

    /// - Parameters:
    ///   - pending: The last action that waits or is under way.
    ///   - sent: What the server took last, as far as the outbox remembers.
    ///   - noted: What was known to be taken until now.
    ///   - row: What the document of the row states, nil where it does not mention favourites, and with which refresh it came; nil when the row is not stored.
    ///   - newest: The newest refresh that has stored anything.
    init(
        pending: FavouriteMark?, sent: TakenFavourite?, noted: TakenFavourite?, row: (isFavourite: Bool?, generation: Int)?, newest: Int
    ) {
        var taken = noted
        if let sent, sent.key != noted?.key, sent.action >= noted?.action ?? sent.action { taken = sent }
        // A store that was emptied counts its refreshes anew.
        if let known = taken { taken?.generation = min(known.generation, newest) }
        let isOpen = taken.map { !$0.isKnown(to: row) } ?? false
        if !isOpen, let stated = row?.isFavourite { taken?.isFavourite = stated }
        mark = pending ?? (isOpen ? taken.map { FavouriteMark($0.isFavourite) } : nil)
        self.taken = taken
    }
}
