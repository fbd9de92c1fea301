/// A position in the change feed: the epoch of the database, and the number of a commit in it.
///
/// Restoring a backup begins a new epoch; positions of different epochs cannot be compared.
package struct ChangePosition: Hashable, Sendable {
    package let epoch: String
    package let number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses `EPOCH-NUMBER`; nil for another form.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), let number = Int64(parts[1]), number >= 0,
            String(number) == parts[1]
        else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    package var text: String { "\(epoch)-\(number)" }
}
