/// A policy for which rows are worth loading at the velocity of a scroll. A synchronous value.
struct ScrollLoadPolicy: Sendable {
    /// The minimum predicted time in view of rows that are started, in seconds.
    static let minimumVisibleTime = 0.15
    /// The time of fast scrolling after which one row is admitted.
    static let admissionInterval = Duration.seconds(1)
    /// The time for which a reported velocity is valid.
    static let velocityLifetime = Duration.milliseconds(500)
    /// The maximum number of grid rows that are loaded ahead of the viewport.
    static let gridRowLimit = 50

    /// The number of screens that are prefetched at rest.
    let prefetchedScreens: Int
    /// The maximum number of visible and prefetched rows at rest.
    let rowLimit: Int
    /// The exponential moving average of the latency of rows, in seconds, with weight ¼ for the last one; nil before the first.
    private var latency: Double?
    /// Whether the last scroll was backwards; nil before the first.
    private var wasBackwards: Bool?
    /// The time since which rows have passed without one of them being admitted.
    private var scrollingPastSince: Duration?

    init(prefetchedScreens: Int = 0, rowLimit: Int = .max) {
        self.prefetchedScreens = max(0, min(prefetchedScreens, Self.gridRowLimit))
        self.rowLimit = rowLimit
    }

    mutating func recordLatency(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        latency = latency.map { $0 * 0.75 + seconds * 0.25 } ?? seconds
    }

    /// Records the direction of a scroll, which is retained at rest.
    mutating func recordDirection(of viewport: Viewport) {
        if viewport.rowsPerSecond != 0 { wasBackwards = viewport.isScrollingBackwards }
    }

    /// Returns the minimum predicted time in view of rows that are started, in seconds.
    ///
    /// During a fling with a known landing, a passing row must load before it leaves the view, or it wastes bandwidth; without a known latency none
    /// is started.
    func requiredVisibleTime(landing: ScrollLanding?) -> Double {
        landing == nil ? Self.minimumVisibleTime : max(Self.minimumVisibleTime, latency ?? .infinity)
    }

    /// Returns the rows that will come into view within the latency of one row, none at rest; nil if they would not stay long enough.
    func prefetchRange(ahead viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard let latency, viewport.timeInViewOfNewRows >= requiredVisibleTime(landing: landing) else { return nil }
        let gridRows = min(Double(Self.gridRowLimit), (abs(viewport.rowsPerSecond) * latency).rounded(.up))
        let range = viewport.rows(ahead: Int(gridRows), backwards: viewport.isScrollingBackwards)
        guard let landing else { return range }
        let travelRange =
            min(viewport.visible.lowerBound, landing.possible.lowerBound)..<max(viewport.visible.upperBound, landing.possible.upperBound)
        return range.clamped(to: travelRange)
    }

    /// Returns the rows of the next screens in the direction of the last scroll; nil while scrolling.
    func prefetchRange(atRest viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard landing == nil, viewport.rowsPerSecond == 0 else { return nil }
        // More rows would evict visible ones.
        let spareGridRows = max(0, rowLimit - viewport.visible.count) / viewport.columns
        let gridRows = min(viewport.gridRows.count * prefetchedScreens, Self.gridRowLimit, spareGridRows)
        return viewport.rows(ahead: gridRows, backwards: wasBackwards ?? false)
    }

    /// Returns the rows ahead for which loads are not cancelled while a scroll slows down; nil before the first scroll.
    ///
    /// With a known landing only rows worth starting are retained.
    func retainedRange(ahead viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard landing == nil else { return prefetchRange(ahead: viewport, landing: landing) }
        let isBackwards = viewport.rowsPerSecond == 0 ? wasBackwards : viewport.isScrollingBackwards
        return isBackwards.map { viewport.rows(ahead: Self.gridRowLimit, backwards: $0) }
    }

    /// Whether rows have passed for so long that one of them is admitted now.
    mutating func shouldAdmit(scrollingPast isScrollingPast: Bool, at time: Duration) -> Bool {
        guard isScrollingPast else {
            scrollingPastSince = nil
            return false
        }
        guard let since = scrollingPastSince, time - since >= Self.admissionInterval else {
            scrollingPastSince = scrollingPastSince ?? time
            return false
        }
        scrollingPastSince = time
        return true
    }
}
