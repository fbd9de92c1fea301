public import Foundation
public import LadingFeeds

/// A favourite mark that was set or taken away here, and that the server may not know of yet: it lies beside the row until it does.
///
/// ```swift
/// try await store.setLocalChange(FavouriteMark(true).data, named: Delivery.favouriteChange, of: delivery.id)
/// ```
public struct FavouriteMark: Hashable, Sendable {
    public var isFavourite: Bool

    public init(_ isFavourite: Bool) {
        self.isFavourite = isFavourite
    }

    /// Reads what `data` has written; nil when it is nothing of the kind.
    public init?(data: Data) {
        switch data {
        case Data("true".utf8): self.init(true)
        case Data("false".utf8): self.init(false)
        default: return nil
        }
    }

    /// As it is kept.
    public var data: Data { Data(isFavourite.description.utf8) }
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
