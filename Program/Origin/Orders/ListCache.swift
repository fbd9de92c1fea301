import Synchronization

/// A cache of recent order lists, one for each address that clients use.
final class ListCache: Sendable {
    /// The maximum number of lists. A list of 100,000 orders takes 9 MB.
    static let capacity = 4

    private let lists = Mutex<[(address: PublicAddress, list: Representation)]>([])

    subscript(address: PublicAddress) -> Representation? {
        lists.withLock { lists in
            lists.first { $0.address == address }?.list
        }
    }

    /// Stores a list and evicts the oldest one when the cache is full.
    func store(_ list: Representation, for address: PublicAddress) {
        lists.withLock { lists in
            lists.removeAll { $0.address == address }
            if lists.count == Self.capacity { lists.removeFirst() }
            lists.append((address, list))
        }
    }
}
