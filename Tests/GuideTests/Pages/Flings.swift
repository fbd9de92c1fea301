import LadingFeeds
import LadingTesting

func report<F: Feed>(to controller: FeedController<F>) {
    // block 1
}

// block 2

func simulate<F: Feed>(with controller: FeedController<F>) {
    // block 3
}
