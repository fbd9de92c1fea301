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
    let localFavourite: LocalFavourite?
    let confirmed: ConfirmedFavourite?

    /// - Parameters:
    ///   - pending: The last action that waits or is under way.
    ///   - sent: What the server took last, as far as the outbox remembers.
    ///   - noted: What was known to be taken until now.
    ///   - row: What the document of the row states, nil where it does not mention favourites, and with which refresh it came; nil when the row is not stored.
    ///   - newest: The newest refresh that has stored anything.
    init(
        pending: LocalFavourite?, sent: ConfirmedFavourite?, stored: ConfirmedFavourite?, row: (isFavourite: Bool?, generation: Int)?, newest: Int
    ) {
        var confirmed = stored
        if let sent, sent.key != stored?.key, sent.actionDate >= stored?.actionDate ?? sent.actionDate { confirmed = sent }
        // A store that was emptied counts its refreshes anew.
        if let current = confirmed { confirmed?.generation = min(current.generation, newest) }
        let isUnconfirmedByRow = confirmed.map { !$0.isOverridden(by: row) } ?? false
        if !isUnconfirmedByRow, let stated = row?.isFavourite { confirmed?.isFavourite = stated }
        localFavourite = pending ?? (isUnconfirmedByRow ? confirmed.map { LocalFavourite($0.isFavourite) } : nil)
        self.confirmed = confirmed
    }
}
