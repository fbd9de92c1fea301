public import Foundation
public import LadingFeeds

/// A favourite mark that was set or taken away here, and that the server may not know of yet: it lies beside the row until it does.
///
/// ```swift
/// try await store.setLocalChange(LocalFavourite(true).data, named: Delivery.favouriteChange, of: delivery.id)
/// ```
public struct LocalFavourite: Hashable, Sendable {
    public var isFavourite: Bool
    /// Whether the server has not confirmed it yet.
    public var isPending: Bool

    public init(_ isFavourite: Bool, isPending: Bool = false) {
        self.isFavourite = isFavourite
        self.isPending = isPending
    }

    /// Reads what `data` has written; nil when it is nothing of the kind.
    public init?(data: Data) {
        let words = String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard let isFavourite = Bool(String(words[0])), words.dropFirst().isEmpty || words.dropFirst() == ["waiting"] else { return nil }
        self.init(isFavourite, isPending: words.count > 1)
    }

    /// `true` or `false`, followed by `waiting` when the server has not confirmed it yet.
    public var data: Data { Data("\(isFavourite)\(isPending ? " waiting" : "")".utf8) }
}

extension Delivery {
    /// The name of the change that `LocalFavourite` is.
    public static let localFavouriteName = "favourite"
}

extension StoredRecord<Delivery> {
    /// The mark that was made here; nil when there is none, or when the server knows it.
    public var localFavourite: LocalFavourite? {
        localChanges[Delivery.localFavouriteName].flatMap { LocalFavourite(data: $0) }
    }

    /// The delivery as it is shown: with what was changed here.
    public var withLocalChanges: Delivery {
        var delivery = row
        if let localFavourite { delivery.isFavourite = localFavourite.isFavourite }
        return delivery
    }
}
