import Synchronization

/// The order lists made last, one for each address that clients use.
final class ListCache: Sendable {
    /// A list of 100,000 orders takes 9 MB.
    static let capacity = 4

    private let lists = Mutex<[(address: PublicAddress, list: Representation)]>([])

    subscript(address: PublicAddress) -> Representation? {
        lists.withLock { lists in
            lists.first { $0.address == address }?.list
        }
    }

    /// Takes the place of the oldest list when all are taken.
    func store(_ list: Representation, for address: PublicAddress) {
        lists.withLock { lists in
            lists.removeAll { $0.address == address }
            if lists.count == Self.capacity { lists.removeFirst() }
            lists.append((address, list))
        }
    }
}
