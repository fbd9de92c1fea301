import LadingFeeds
import LadingHTTP
import LadingOperations

extension FeedController {
    /// Creates the controller of a page: it notes changes in the mailbox of the page, and reports failures to a monitor.
    ///
    /// - Parameter reachability: Learns what failed because of a host; nil where nobody retries that.
    convenience init(
        feed: F, memory: FeedMemory<F>, queue: BackendQueue, mailbox: EventMailbox<F.Reference.ID>, reachability: ReachabilityMonitor?
    ) {
        self.init(feed: feed, memory: memory, queue: queue, screensAtRest: 1) { update in
            mailbox.note { log in
                if update.isListChanged { log.noteScreen() }
                log.note(update.rows)
            }
        } onFailure: { error in
            reachability?.noteFailure(error)
        }
    }
}
