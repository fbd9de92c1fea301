import LadingFeeds
import LadingTesting

func report<F: Feed>(to controller: FeedController<F>) {
    // block 1
}

func simulate<F: Feed>(with controller: FeedController<F>) {
    // block 2
}
