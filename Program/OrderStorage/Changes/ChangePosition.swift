/// A position in the change feed: the epoch of the database, and the number of a commit in it.
///
/// Restoring a backup begins a new epoch; positions of different epochs cannot be compared.
package struct ChangePosition: Hashable, Sendable {
    package let epoch: String
    package let number: Int64
    /// The number of the change in its commit, for stores whose commits contain several; otherwise 0.
    package let part: Int64

    package init(epoch: String, number: Int64, part: Int64 = 0) {
        self.epoch = epoch
        self.number = number
        self.part = part
    }

    /// Parses `EPOCH-NUMBER` or `EPOCH-NUMBER.PART`; nil for another form.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return nil }
        let numbers = parts[1].split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(epoch: String(parts[0]), number: numbers[0], part: numbers.count > 1 ? numbers[1] : 0)
        guard self.text == text else { return nil }
    }

    package var text: String { part == 0 ? "\(epoch)-\(number)" : "\(epoch)-\(number).\(part)" }

    /// Whether the position is before another one of its epoch.
    package func isBefore(_ other: ChangePosition) -> Bool { (number, part) < (other.number, other.part) }
}
