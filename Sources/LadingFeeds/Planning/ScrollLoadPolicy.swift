/// What the speed of a scroll says about which rows are worth loading. A synchronous value.
struct ScrollLoadPolicy: Sendable {
    /// How long a row must be predicted to stay in view to be started, in seconds.
    static let dwell = 0.15
    /// After how long of passing rows one of them is admitted.
    static let admissionInterval = Duration.seconds(1)
    /// How long a speed is believed without being told again.
    static let velocityLifetime = Duration.milliseconds(500)
    /// The most lines beyond the viewport that are loaded ahead.
    static let gridRowLimit = 50

    /// The number of screens that are loaded ahead at rest.
    let prefetchedScreens: Int
    /// How long rows took lately, in seconds: a moving average in which the last one counts a quarter. Nil before the first.
    private var latency: Double?
    /// The direction of the last move; nil before the first.
    private var wasBackwards: Bool?
    /// Since when rows have passed without one of them being started.
    private var passingSince: Duration?

    init(prefetchedScreens: Int = 0) {
        self.prefetchedScreens = prefetchedScreens
    }

    mutating func recordLatency(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        latency = latency.map { $0 * 0.75 + seconds * 0.25 } ?? seconds
    }

    /// Notes the direction of travel; at rest it is that of the last move.
    mutating func recordDirection(of viewport: Viewport) {
        if viewport.rowsPerSecond != 0 { wasBackwards = viewport.rowsPerSecond < 0 }
    }

    /// For how many seconds a row must be predicted to stay in view to be started.
    ///
    /// Where it is known what will be seen at rest, a row that only passes must be there before it has gone again, or the line is lost to it; before any
    /// latency is known, none is worth that.
    func requiredDwell(landing: ScrollLanding?) -> Double {
        landing == nil ? Self.dwell : max(Self.dwell, latency ?? .infinity)
    }

    /// The rows that will come into view while one of them is loaded; nil when they would not stay long enough.
    func prefetchRange(ahead viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard let latency, viewport.rowsPerSecond != 0, viewport.timeInViewOfNewRows >= requiredDwell(landing: landing) else { return nil }
        let lines = min(Double(Self.gridRowLimit), (abs(viewport.rowsPerSecond) * latency).rounded(.up))
        let reach = viewport.rows(ahead: Int(lines), backwards: viewport.rowsPerSecond < 0)
        guard let landing else { return reach }
        let travelRange =
            min(viewport.visible.lowerBound, landing.possible.lowerBound)..<max(viewport.visible.upperBound, landing.possible.upperBound)
        return reach.clamped(to: travelRange)
    }

    /// The rows of the next screens, in the direction of the last move, that are loaded once all in view is there. Nil while the rows pass.
    func prefetchRange(atRest viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard prefetchedScreens > 0, landing == nil, viewport.rowsPerSecond == 0 else { return nil }
        return viewport.rows(ahead: min(viewport.gridRows.count * prefetchedScreens, Self.gridRowLimit), backwards: wasBackwards ?? false)
    }

    /// The rows ahead in which what is under way is kept: a scroll that slows down throws nothing away. Nil before the first move.
    ///
    /// Where it is known what will be seen at rest, nothing else is kept that is not worth starting.
    func retainedRange(ahead viewport: Viewport, landing: ScrollLanding?) -> Range<Int>? {
        guard landing == nil else { return prefetchRange(ahead: viewport, landing: landing) }
        let isBackwards = viewport.rowsPerSecond == 0 ? wasBackwards : viewport.rowsPerSecond < 0
        return isBackwards.map { viewport.rows(ahead: Self.gridRowLimit, backwards: $0) }
    }

    /// Whether rows have passed for so long that one of them is admitted now.
    mutating func isAdmissionDue(passing: Bool, at time: Duration) -> Bool {
        guard passing else {
            passingSince = nil
            return false
        }
        guard let since = passingSince, time - since >= Self.admissionInterval else {
            passingSince = passingSince ?? time
            return false
        }
        passingSince = time
        return true
    }
}
