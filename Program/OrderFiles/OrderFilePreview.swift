import OrderStorage

/// A summary of a file of orders, as it is displayed before an import.
package struct OrderFilePreview: Hashable, Sendable {
    /// The largest number of listed rows of each kind.
    package static let listLimit = 100

    /// An address that must be located.
    package struct UnlocatedAddress: Hashable, Sendable {
        package let row: Int
        package let address: String
    }

    package private(set) var orderCount = 0
    package private(set) var faultyCount = 0
    package private(set) var unlocatedCount = 0
    /// The first faulty rows, up to `listLimit`.
    package private(set) var rejectedRows: [RejectedRow] = []
    /// The first addresses without coordinates, up to `listLimit`.
    package private(set) var unlocatedAddresses: [UnlocatedAddress] = []
    package private(set) var notices: [OrderFileNotice] = []

    package init() {}

    /// The names of the columns that are unknown and ignored.
    package var unknownColumns: [String] {
        notices.map { notice in
            switch notice {
            case .unknownColumn(let name): name
            }
        }
    }

    package mutating func add(_ event: OrderFileEvent) {
        switch event {
        case .order(let row): add(row)
        case .faulty(let row):
            faultyCount += 1
            if rejectedRows.count < Self.listLimit { rejectedRows.append(row) }
        case .notice(let notice): notices.append(notice)
        }
    }

    private mutating func add(_ row: OrderFileRow) {
        orderCount += 1
        guard row.needsLocation else { return }
        unlocatedCount += 1
        guard unlocatedAddresses.count < Self.listLimit else { return }
        unlocatedAddresses.append(UnlocatedAddress(row: row.number, address: row.content.destination.address))
    }
}
