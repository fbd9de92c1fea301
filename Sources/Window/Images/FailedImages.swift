import Foundation
import LadingHTTP
import LadingOperations
import Synchronization

/// The pictures that could not be loaded because of their server: pages request them again, under another address, when it works again.
///
/// Of more than `limit` the oldest are forgotten: they are loaded when their rows are made anew.
final class FailedImages: Sendable {
    static let limit = 512

    fileprivate struct Failure {
        /// Tells the oldest.
        var number: Int
        /// Counts the addresses under which pages have requested it again.
        var retryCount = 0
        /// Whether pages have been given the address of this round and nothing has failed since.
        var isRetrying = false
        var error: any Error
    }

    fileprivate struct State {
        var failures: [URL: Failure] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Counts the addresses under which a picture was requested again; 0 for one that never was.
    func retryCount(of url: URL) -> Int { state.withLock { $0.failures[url]?.retryCount ?? 0 } }

    /// Gives a picture another address when it is missing for one of some reasons.
    ///
    /// - Returns: Whether pages that show its stand-in are to be given that address. A picture that has come meanwhile may not have come to every page.
    func markForRetry(_ url: URL, where isRetried: (any Error) -> Bool) -> Bool {
        state.withLock { state in
            guard var missing = state.failures[url], isRetried(missing.error) else { return false }
            if !missing.isRetrying { missing.retryCount += 1 }
            missing.isRetrying = true
            state.failures[url] = missing
            return true
        }
    }

    /// The same for several pictures that one page shows.
    func markForRetry(_ urls: [URL], where isRetried: (any Error) -> Bool) -> Bool {
        urls.reduce(false) { markForRetry($1, where: isRetried) || $0 }
    }

    /// Learns how loading a picture ended.
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
    /// The address under which a picture is requested in a round.
    func addingRetryCount(_ round: Int) -> String { round == 0 ? self : "\(self)\(contains("?") ? "&" : "?")again=\(round)" }
}
