import OrderStorage
import Synchronization

/// A cache of recent order lists, one for each address that clients use, valid until the orders change.
final class ListCache: Sendable {
    /// The maximum number of lists. A list of 100,000 orders takes 9 MB.
    static let capacity = 4

    private struct Entry {
        let address: PublicAddress
        let position: ChangePosition
        let list: Representation
    }

    private let entries = Mutex<[Entry]>([])

    /// Returns the list as it was at a position of the change feed; nil if it is not stored.
    func list(for address: PublicAddress, at position: ChangePosition) -> Representation? {
        entries.withLock { entries in
            entries.first { $0.address == address && $0.position == position }?.list
        }
    }

    /// Stores a list and evicts the oldest one when the cache is full.
    func store(_ list: Representation, for address: PublicAddress, at position: ChangePosition) {
        entries.withLock { entries in
            entries.removeAll { $0.address == address }
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(Entry(address: address, position: position, list: list))
        }
    }
}
