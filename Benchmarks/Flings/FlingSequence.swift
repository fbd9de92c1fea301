import Foundation
import LadingFeeds
import LadingTesting
import Origin

/// A sequence of flings over a grid of photos, shown to a viewer at 60 frames per second.
struct FlingSequence: Sendable {
    /// Three columns of square cells on a tall screen.
    static let grid = SimulatedGrid(columns: 3, height: 5.4, count: PhotoAlbum.count)
    static let frame = Duration.seconds(1) / 60
    /// The time without scrolling after which a page reports rest.
    static let restDelay = Duration.milliseconds(100)
    /// The time at rest after which the debouncing strategy loads.
    static let debounceDelay = Duration.milliseconds(150)
    /// The maximum time to wait for the photos of a landing.
    static let loadTimeout = Duration.seconds(150)

    let flings: [SimulatedFling]

    /// Creates flings of two seconds from landing to landing, alternating between two curves.
    init(seed: UInt64, count: Int) {
        var random = SeededRandom(seed: seed)
        var landings = [0.0]
        // A landing that overlaps an earlier one would have few photos to load.
        while landings.count <= count {
            let landing = Double.random(in: 0...Self.grid.lastGridRow, using: &random)
            if landings.allSatisfy({ abs($0 - landing) > Self.grid.height + 1 }) { landings.append(landing) }
        }
        flings = zip(landings, landings.dropFirst()).enumerated().map { number, way in
            SimulatedFling(
                from: way.0, to: way.1, lasting: .seconds(2), curve: number.isMultiple(of: 2) ? .exponential : .power)
        }
    }

    /// The flings back to the start of the sequence.
    var returnFlings: [SimulatedFling] {
        flings.reversed().map { SimulatedFling(from: $0.end, to: $0.start, lasting: $0.duration, curve: $0.curve) }
    }
}

/// A viewer that performs flings across its own link.
struct FlingRun: Sendable {
    let viewer: any PhotoViewer
    let arrivals: PhotoArrivals
    let album: PhotoAlbum
    let profile: LinkProfile

    /// Returns the ratio of a fling's load time to the link's; nil when no visible photo was missing before it.
    ///
    /// The load time ends with the last visible photo; the link's is that of the missing photos at full bandwidth.
    @concurrent
    func ratio(of fling: SimulatedFling) async throws -> Double? {
        let visible = FlingSequence.grid.visibleRange(from: fling.end)
        let bytes = visible.filter { !arrivals.contains($0) }.map { album.size(of: $0) }.reduce(0, +)
        let standstill = try await perform(fling)
        let end = await arrivals.lastArrival(of: visible, notAfter: standstill + FlingSequence.loadTimeout)
        guard bytes > 0 else { return nil }
        let linkTime = Double(bytes * 8) / Double(profile.down * 1_000)
        return max(0, standstill.duration(to: end).seconds / linkTime)
    }

    /// Shows a fling frame by frame and returns the time of its standstill.
    private func perform(_ fling: SimulatedFling) async throws -> ContinuousClock.Instant {
        let start = ContinuousClock.now
        var reports = fling.reportTimes[...]
        for time in sequence(first: FlingSequence.frame, next: { $0 + FlingSequence.frame }).prefix(while: { $0 < fling.duration }) {
            try await Task.sleep(until: start + time, clock: .continuous)
            viewer.didShowFrame(FlingSequence.grid.viewport(of: fling, at: time))
            if let due = reports.first, due <= time {
                viewer.report(FlingSequence.grid.viewport(of: fling, at: time))
                reports.removeFirst()
            }
        }
        let standstill = start + fling.duration
        let viewportAtRest = FlingSequence.grid.viewport(of: fling, at: fling.duration).atRest
        try await Task.sleep(until: standstill, clock: .continuous)
        viewer.didShowFrame(viewportAtRest)
        try await Task.sleep(until: standstill + FlingSequence.restDelay, clock: .continuous)
        viewer.report(viewportAtRest)
        try await Task.sleep(until: standstill + FlingSequence.debounceDelay, clock: .continuous)
        viewer.didSettle(viewportAtRest)
        return standstill
    }
}
