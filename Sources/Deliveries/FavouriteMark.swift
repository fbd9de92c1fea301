public import Foundation
public import LadingFeeds

/// A favourite mark that was set or taken away here, and that the server may not know of yet: it lies beside the row until it does.
///
/// ```swift
/// try await store.setLocalChange(FavouriteMark(true).data, named: Delivery.favouriteChange, of: delivery.id)
/// ```
public struct FavouriteMark: Hashable, Sendable {
    public var isFavourite: Bool
    /// Whether the server has not confirmed it yet.
    public var isWaiting: Bool

    public init(_ isFavourite: Bool, isWaiting: Bool = false) {
        self.isFavourite = isFavourite
        self.isWaiting = isWaiting
    }

    /// Reads what `data` has written; nil when it is nothing of the kind.
    public init?(data: Data) {
        let words = String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard let isFavourite = Bool(String(words[0])), words.dropFirst().isEmpty || words.dropFirst() == ["waiting"] else { return nil }
        self.init(isFavourite, isWaiting: words.count > 1)
    }

    /// `true` or `false`, followed by `waiting` when the server has not confirmed it yet.
    public var data: Data { Data("\(isFavourite)\(isWaiting ? " waiting" : "")".utf8) }
}

extension Delivery {
    /// The name of the change that `FavouriteMark` is.
    public static let favouriteChange = "favourite"
}

extension StoredRecord<Delivery> {
    /// The mark that was made here; nil when there is none, or when the server knows it.
    public var favouriteMark: FavouriteMark? {
        localChanges[Delivery.favouriteChange].flatMap { FavouriteMark(data: $0) }
    }

    /// The delivery as it is shown: with what was changed here.
    public var shown: Delivery {
        var delivery = row
        if let favouriteMark { delivery.isFavourite = favouriteMark.isFavourite }
        return delivery
    }
}
