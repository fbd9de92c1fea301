import Foundation
import LadingHTTP
import LadingOperations
import Synchronization

/// The pictures that could not be loaded because of their server: pages request them again, under another address, when it works again.
///
/// Of more than `limit` the oldest are forgotten: they are loaded when their rows are made anew.
final class MissingPictures: Sendable {
    static let limit = 512

    fileprivate struct Missing {
        /// Tells the oldest.
        var number: Int
        /// Counts the addresses under which pages have requested it again.
        var round = 0
        /// Whether pages have been given the address of this round and nothing has failed since.
        var isRenewed = false
        var error: any Error
    }

    fileprivate struct State {
        var pictures: [URL: Missing] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Counts the addresses under which a picture was requested again; 0 for one that never was.
    func round(of url: URL) -> Int { state.withLock { $0.pictures[url]?.round ?? 0 } }

    /// Gives a picture another address when it is missing for one of some reasons.
    ///
    /// - Returns: Whether pages that show its stand-in are to be given that address. A picture that has come meanwhile may not have come to every page.
    func renew(_ url: URL, where isRetried: (any Error) -> Bool) -> Bool {
        state.withLock { state in
            guard var missing = state.pictures[url], isRetried(missing.error) else { return false }
            if !missing.isRenewed { missing.round += 1 }
            missing.isRenewed = true
            state.pictures[url] = missing
            return true
        }
    }

    /// The same for several pictures that one page shows.
    func renew(_ urls: [URL], where isRetried: (any Error) -> Bool) -> Bool {
        urls.reduce(false) { renew($1, where: isRetried) || $0 }
    }

    /// Learns how loading a picture ended.
    func note(_ result: Result<PictureStore.Picture, any Error>, of url: URL, _ reachability: ReachabilityMonitor?) {
        guard case .failure(let error) = result, error.hostFailure != nil else { return }
        state.withLock { $0.add(url, error) }
        reachability?.noteFailure(error)
    }
}

extension MissingPictures.State {
    fileprivate mutating func add(_ url: URL, _ error: any Error) {
        lastNumber += 1
        pictures[url] = .init(number: lastNumber, round: pictures[url]?.round ?? 0, error: error)
        guard pictures.count > MissingPictures.limit, let oldest = pictures.min(by: { $0.value.number < $1.value.number }) else { return }
        pictures[oldest.key] = nil
    }
}

extension String {
    /// The address under which a picture is requested in a round.
    func again(_ round: Int) -> String { round == 0 ? self : "\(self)\(contains("?") ? "&" : "?")again=\(round)" }
}
