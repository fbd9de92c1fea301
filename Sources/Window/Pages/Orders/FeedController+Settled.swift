import LadingFeeds
import Orders

extension FeedController<OrderFeed> {
    /// Whether all that can be sorted and searched is, in a list that is not shown as it came.
    var isFullyIndexed: Bool {
        let snapshot = list.snapshot
        guard query != nil, snapshot.knownCount < snapshot.totalCount else { return true }
        guard let failure = indexingFailure else { return false }
        return failure.isStopped || snapshot.knownCount + failure.count >= snapshot.totalCount
    }

    /// Whether the list is there, or has failed, and the same is true of its rows in a range.
    func isSettled(in range: Range<Int>) -> Bool {
        let list = list
        if !list.isSettled || isApplyingQuery || isRestoring { return false }
        return list.snapshot.references(in: range).allSatisfy { reference in
            switch state(of: reference.id) {
            case .loaded, .stale, .failed: true
            case .idle, .loading, .retrying: false
            }
        }
    }
}

extension OrderScreen {
    /// Waits until the order has been loaded or has failed, for a limited time.
    func waitUntilSettled(atMost limit: Duration, on clock: any Clock<Duration>) async {
        await withTimeout(limit, on: clock) {
            for await _ in self.settled {}
        }
    }
}
