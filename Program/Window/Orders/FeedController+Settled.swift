import LadingFeeds
import Orders

extension FeedController<OrderFeed> {
    /// Whether every row that can be indexed for the current query is; true without a query.
    var isFullyIndexed: Bool {
        let snapshot = list.snapshot
        guard query != nil, snapshot.knownCount < snapshot.totalCount else { return true }
        guard let failure = indexingFailure else { return false }
        return failure.isStopped || snapshot.knownCount + failure.count >= snapshot.totalCount
    }

    /// Whether the list and its rows in a range have loaded or failed.
    func hasFinishedLoading(in range: Range<Int>) -> Bool {
        let list = list
        if !list.hasFinishedLoading || isApplyingQuery || isRestoring { return false }
        return list.snapshot.references(in: range).allSatisfy { reference in
            switch state(of: reference.id) {
            case .loaded, .stale, .failed: true
            case .idle, .loading, .retrying: false
            }
        }
    }
}

extension OrderScreen {
    /// Waits until the order has loaded or failed, at most for a limit.
    func waitUntilFinishedLoading(atMost limit: Duration, on clock: any Clock<Duration>) async {
        await withTimeout(limit, on: clock) {
            for await _ in self.finishedLoading {}
        }
    }
}
