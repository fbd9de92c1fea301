import Foundation

/// Where a scroll that slows down by itself will come to rest, from the viewports it has passed. A synchronous value.
///
/// Whatever moves a list loses speed as −k·v^q: with q = 1 the speed decays exponentially, as flings do on iOS, with q = 0 it falls evenly, and flings on
/// Android lie in between. Three speeds give k and q, and those give the way that is left. It is foretold anew with each viewport, and the nearer the
/// rest, the less there is to be wrong about.
struct FlingPredictor: Sendable {
    /// Where the first line in view will be, counted in lines and parts of lines.
    struct RestPosition: Equatable, Sendable {
        var gridRow: Double
        /// How far off that may be, in lines.
        var uncertainty: Double
    }

    /// How many speeds are looked at, the latest ones.
    static let sampleLimit = 6
    /// Fewer speeds foretell nothing.
    static let minimumSampleCount = 3
    /// The time over which a speed that is told was measured, in seconds; it was the speed half of that ago.
    static let measurementInterval = 0.1
    /// Viewports that follow sooner than this, in seconds, tell no speed of their own.
    static let minimumInterval = 0.02
    /// A scroll slows down when it keeps less than this share of its speed.
    static let decelerationThreshold = 0.97
    /// The share of the way that is left by which a forecast may err, once it has been confirmed, and before.
    static let errorRatio = (confirmed: 0.15, first: 0.25)
    /// What is not known of where a line begins, in lines.
    static let minimumUncertainty = 0.5
    /// The largest exponent q.
    static let maximumExponent = 1.25

    private struct Sample {
        var time: Double
        var speed: Double
        var gridRow: Int
    }

    private var samples: [Sample] = []
    private var isBackwards = false
    private var columns = 1
    /// Nil while nothing can be foretold.
    private(set) var restPosition: RestPosition?

    mutating func record(_ viewport: Viewport, at time: Duration) {
        guard viewport.rowsPerSecond != 0 else { return self = FlingPredictor() }
        let sample = Sample(time: time / .seconds(1), speed: abs(viewport.rowsPerSecond), gridRow: viewport.gridRows.lowerBound)
        if let last = samples.last, sample.time - last.time < Self.minimumInterval, sample.gridRow == last.gridRow { return }
        if !continues(sample, viewport) {
            self = FlingPredictor()
            isBackwards = viewport.rowsPerSecond < 0
            columns = viewport.columns
        }
        if samples.count == Self.sampleLimit { samples.removeFirst() }
        samples.append(sample)
        predict()
    }

    /// Whether a viewport belongs to the same movement: neither a new push nor a jump lies before it.
    private func continues(_ sample: Sample, _ viewport: Viewport) -> Bool {
        guard let last = samples.last, columns == viewport.columns, isBackwards == (viewport.rowsPerSecond < 0) else { return false }
        let gap = sample.time - last.time
        guard gap > 0, gap <= ScrollLoadPolicy.velocityLifetime / .seconds(1), sample.speed <= last.speed / Self.decelerationThreshold else { return false }
        let distance = Double(isBackwards ? last.gridRow - sample.gridRow : sample.gridRow - last.gridRow)
        return distance > sample.speed * gap / 3 - 2 && distance < last.speed * gap * 2 + 2
    }

    // MARK: What is left

    private mutating func predict() {
        let earlier = restPosition
        restPosition = nil
        guard samples.count >= Self.minimumSampleCount, let last = samples.last, let way = remainingDistance else { return }
        let line = Double(last.gridRow) + 0.5 + (isBackwards ? -way : way)
        let error = earlier.map { max(abs(line - $0.gridRow), way * Self.errorRatio.confirmed) } ?? way * Self.errorRatio.first
        restPosition = RestPosition(gridRow: line, uncertainty: max(Self.minimumUncertainty, error))
    }

    /// How many lines are still to pass; nil when the scroll does not slow down.
    private var remainingDistance: Double? {
        let (first, middle, last) = (samples[0], samples[samples.count / 2], samples[samples.count - 1])
        guard last.speed < first.speed * Self.decelerationThreshold else { return nil }
        let exponent = exponent(first, middle, last)
        let slope = (Self.scale(first.speed, exponent) - Self.scale(last.speed, exponent)) / (last.time - first.time)
        let distance = pow(last.speed, 2 - exponent) / (slope * (2 - exponent))
        let delay = Self.measurementInterval / 2
        let passed = last.speed * delay * (1 - slope * pow(last.speed, exponent - 1) * delay / 2)
        return distance.isFinite && passed.isFinite ? max(0, distance - max(0, passed)) : nil
    }

    /// The exponent by which the speed fell over both halves of the time alike.
    private func exponent(_ first: Sample, _ middle: Sample, _ last: Sample) -> Double {
        let early = middle.time - first.time
        let late = last.time - middle.time
        var (low, high) = (0.0, Self.maximumExponent)
        for _ in 0..<24 {
            let exponent = (low + high) / 2
            let scaled = [first, middle, last].map { Self.scale($0.speed, exponent) }
            if (scaled[0] - scaled[1]) * late > (scaled[1] - scaled[2]) * early { low = exponent } else { high = exponent }
        }
        return (low + high) / 2
    }

    /// A measure of speed that falls evenly with time, for this exponent.
    private static func scale(_ speed: Double, _ exponent: Double) -> Double {
        abs(1 - exponent) < 1e-6 ? log(speed) : (pow(speed, 1 - exponent) - 1) / (1 - exponent)
    }
}
