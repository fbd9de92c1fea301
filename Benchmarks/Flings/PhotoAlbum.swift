import Foundation
import LadingTesting
import ScriptedServers
import Synchronization

/// Generated photos of 40 to 200 KB, the same in every run, and their server.
final class PhotoAlbum: Sendable {
    static let count = 500
    private static let sizes = 40_000...200_000

    private let sizes: [Int]
    private let noise: [UInt8]

    init() {
        var random = SeededRandom(seed: 981)
        sizes = (0..<Self.count).map { _ in Int.random(in: Self.sizes, using: &random) }
        noise = (0..<Self.sizes.upperBound).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Returns the length of a photo in bytes.
    func size(of photo: Int) -> Int { sizes[photo] }

    /// Whether bytes equal those of a photo.
    func isPhoto(_ bytes: some Collection<UInt8>, _ photo: Int) -> Bool { bytes.elementsEqual(noise.prefix(sizes[photo])) }

    /// Starts a server for the photos.
    func serve() throws -> ScriptedServer {
        try ScriptedServer { request in
            guard let photo = Int(request.target.split(separator: "/").last ?? ""), self.sizes.indices.contains(photo) else {
                return [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(self.sizes[photo])\r\n\r\n"
            return [.send(Array(head.utf8) + self.noise.prefix(self.sizes[photo]))]
        }
    }
}

/// The photos that have arrived at a viewer.
final class PhotoArrivals: Sendable {
    private struct State {
        var arrivals: [Int: ContinuousClock.Instant] = [:]
        /// The number of requests for photos that had arrived before.
        var repeatedRequests = 0
        var pending: (photos: Set<Int>, waiter: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    var repeatedRequests: Int { state.withLock { $0.repeatedRequests } }

    func contains(_ photo: Int) -> Bool { state.withLock { $0.arrivals[photo] != nil } }

    /// Records a request for a photo.
    func recordRequest(for photo: Int) {
        state.withLock { state in
            if state.arrivals[photo] != nil { state.repeatedRequests += 1 }
        }
    }

    func recordArrival(of photo: Int) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.arrivals[photo] == nil { state.arrivals[photo] = .now }
            state.pending?.photos.remove(photo)
            guard let pending = state.pending, pending.photos.isEmpty else { return nil }
            state.pending = nil
            return pending.waiter
        }
        waiter?.resume()
    }

    /// Returns the time at which the last of some photos arrived, or the limit if one is still missing then.
    func lastArrival(of photos: Range<Int>, notAfter limit: ContinuousClock.Instant) async -> ContinuousClock.Instant {
        let timeout = Task {
            try await Task.sleep(until: limit, clock: .continuous)
            state.withLock { $0.pending.take() }?.waiter.resume()
        }
        await withCheckedContinuation { waiter in
            let isComplete = state.withLock { state in
                let missing = Set(photos.filter { state.arrivals[$0] == nil })
                if !missing.isEmpty { state.pending = (missing, waiter) }
                return missing.isEmpty
            }
            if isComplete { waiter.resume() }
        }
        timeout.cancel()
        return state.withLock { state in photos.map { state.arrivals[$0] ?? limit }.max() ?? limit }
    }
}
