/// The local favourite mark and the confirmation to store with a row.
///
/// | state | local mark |
/// |---|---|
/// | an action is queued or being sent | that action |
/// | a confirmation that no later document has overridden | the confirmed value |
/// | otherwise: refused, expired, or stated by a later document | none: the row's own value is shown |
///
/// A mark that a later document states is stored as confirmed: it holds when subsequent documents do not mention favourites.
struct FavouriteOverrides: Hashable, Sendable {
    let localFavourite: LocalFavourite?
    let confirmed: ConfirmedFavourite?

    /// - Parameters:
    ///   - pending: The last action that is queued or being sent.
    ///   - sent: The last mark that the server accepted, as far as the outbox has receipts.
    ///   - stored: The confirmation stored with the row.
    ///   - row: The mark in the row's document, nil where it does not mention favourites, and its generation; nil when the row is not stored.
    ///   - newest: The newest generation in the store.
    init(
        pending: LocalFavourite?, sent: ConfirmedFavourite?, stored: ConfirmedFavourite?, row: (isFavourite: Bool?, generation: Int)?,
        newest: Int
    ) {
        var confirmed = stored
        if let sent, sent.key != stored?.key, sent.actionDate >= stored?.actionDate ?? sent.actionDate { confirmed = sent }
        // An emptied store restarts its generations.
        if let current = confirmed { confirmed?.generation = min(current.generation, newest) }
        let isUnconfirmedByRow = confirmed.map { !$0.isReplaced(by: row) } ?? false
        if !isUnconfirmedByRow, let stated = row?.isFavourite { confirmed?.isFavourite = stated }
        localFavourite = pending ?? (isUnconfirmedByRow ? confirmed.map { LocalFavourite($0.isFavourite) } : nil)
        self.confirmed = confirmed
    }
}
