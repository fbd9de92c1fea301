import LadingFeeds
import LadingHTTP
import LadingOperations

extension FeedController {
    /// Creates the controller of a page, which records changes in the page's event buffer and reports failures to a monitor.
    ///
    /// - Parameter reachability: The monitor that host failures are reported to; nil where they are not retried.
    convenience init(
        feed: F, cache: FeedCache<F>, queue: BackendQueue, buffer: EventBuffer<F.Reference.ID>, reachability: ReachabilityMonitor?
    ) {
        self.init(feed: feed, cache: cache, queue: queue, prefetchedScreens: 1) { update in
            buffer.record { log in
                if update.isListChanged { log.recordScreenChange() }
                log.record(update.rows)
            }
        } onFailure: { error in
            reachability?.reportFailure(error)
        }
    }
}
