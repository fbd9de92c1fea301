import LadingFeeds
import LadingHTTP
import LadingOperations

extension FeedController {
    /// Creates the controller of a page: it notes changes in the mailbox of the page, and reports failures to a monitor.
    ///
    /// - Parameter reachability: Learns what failed because of a host; nil where nobody retries that.
    convenience init(
        feed: F, cache: FeedCache<F>, queue: BackendQueue, mailbox: EventMailbox<F.Reference.ID>, reachability: ReachabilityMonitor?
    ) {
        self.init(feed: feed, cache: cache, queue: queue, prefetchedScreens: 1) { update in
            mailbox.record { log in
                if update.isListChanged { log.recordScreenChange() }
                log.record(update.rows)
            }
        } onFailure: { error in
            reachability?.reportFailure(error)
        }
    }
}
