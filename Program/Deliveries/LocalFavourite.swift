public import Foundation
public import LadingRecords

/// A local favourite mark that the server may not reflect yet, stored with the row until it does.
///
/// ```swift
/// try await store.setLocalChange(LocalFavourite(true).data, named: Delivery.localFavouriteName, of: delivery.id)
/// ```
public struct LocalFavourite: Hashable, Sendable {
    public var isFavourite: Bool
    /// Whether the server has not confirmed the mark yet.
    public var isPending: Bool

    public init(_ isFavourite: Bool, isPending: Bool = false) {
        self.isFavourite = isFavourite
        self.isPending = isPending
    }

    /// Decodes `data`; nil when it is invalid.
    public init?(data: Data) {
        let words = String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard let isFavourite = Bool(String(words[0])), words.dropFirst().isEmpty || words.dropFirst() == ["waiting"] else { return nil }
        self.init(isFavourite, isPending: words.count > 1)
    }

    /// The encoded mark: `true` or `false`, followed by `waiting` when it is pending.
    public var data: Data { Data("\(isFavourite)\(isPending ? " waiting" : "")".utf8) }
}

extension Delivery {
    /// The name of the local change of a `LocalFavourite`.
    public static let localFavouriteName = "favourite"
}

extension StoredRecord<Delivery> {
    /// The local mark; nil when there is none or the server reflects it.
    public var localFavourite: LocalFavourite? {
        localChanges[Delivery.localFavouriteName].flatMap { LocalFavourite(data: $0) }
    }

    /// The delivery with local changes applied.
    public var withLocalChanges: Delivery {
        var delivery = row
        if let localFavourite { delivery.isFavourite = localFavourite.isFavourite }
        return delivery
    }
}
