import Foundation
import LadingHTTP
import Synchronization

/// The images that failed to load because of their host; pages request them again with a different URL when the host is reachable.
///
/// Beyond `limit` the oldest are evicted; these load again when their rows are rendered again.
final class FailedImages: Sendable {
    /// The maximum number of failed images.
    static let limit = 512

    fileprivate struct Failure {
        /// The sequence number of the failure, by which the oldest is evicted.
        var number: Int
        /// The number of retries, each with a different URL.
        var retryCount = 0
        /// Whether pages were given the URL of the current retry and it has not failed since.
        var isRetrying = false
        var error: any Error
    }

    fileprivate struct State {
        var failures: [URL: Failure] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Returns the number of retries of an image.
    func retryCount(of url: URL) -> Int { state.withLock { $0.failures[url]?.retryCount ?? 0 } }

    /// Marks an image for a retry with a new URL if it failed with a matching error.
    ///
    /// - Returns: Whether pages with a placeholder need the new URL, also when the image has loaded since: it may not have reached every page.
    func markForRetry(_ url: URL, where isRetried: (any Error) -> Bool) -> Bool {
        state.withLock { state in
            guard var missing = state.failures[url], isRetried(missing.error) else { return false }
            if !missing.isRetrying { missing.retryCount += 1 }
            missing.isRetrying = true
            state.failures[url] = missing
            return true
        }
    }

    /// Marks several images of a page for a retry; returns whether any matched.
    func markForRetry(_ urls: [URL], where isRetried: (any Error) -> Bool) -> Bool {
        urls.reduce(false) { markForRetry($1, where: isRetried) || $0 }
    }

    /// Records the result of a load and reports host failures.
    func record(_ result: Result<ImageLoader.LoadedImage, any Error>, of url: URL, _ reachability: ReachabilityMonitor?) {
        guard case .failure(let error) = result, error.hostFailure != nil else { return }
        state.withLock { $0.add(url, error) }
        reachability?.reportFailure(error)
    }
}

extension FailedImages.State {
    fileprivate mutating func add(_ url: URL, _ error: any Error) {
        lastNumber += 1
        failures[url] = .init(number: lastNumber, retryCount: failures[url]?.retryCount ?? 0, error: error)
        guard failures.count > FailedImages.limit, let oldest = failures.min(by: { $0.value.number < $1.value.number }) else { return }
        failures[oldest.key] = nil
    }
}

extension String {
    /// Returns the URL of an image for a retry; the first attempt uses the original URL.
    func addingRetryCount(_ round: Int) -> String { round == 0 ? self : "\(self)\(contains("?") ? "&" : "?")again=\(round)" }
}
