import Foundation

/// A predictor of the rest position of a decelerating scroll, from its viewports. A synchronous value.
///
/// A scroll decelerates by −k·v^q: with q = 1 the velocity decays exponentially, as flings do on iOS, with q = 0 it falls linearly, and flings on
/// Android lie in between. Three velocities determine k and q, and these the remaining distance. Each viewport updates the prediction, whose error
/// decreases towards the rest.
struct FlingPredictor: Sendable {
    /// The predicted first visible grid row, with a fraction.
    struct RestPosition: Equatable, Sendable {
        var gridRow: Double
        /// The maximum expected error, in grid rows.
        var expectedError: Double
    }

    /// The maximum number of samples; older ones are dropped.
    static let sampleLimit = 6
    /// The minimum number of samples for a prediction.
    static let minimumSampleCount = 3
    /// The interval over which a reported velocity was measured, in seconds; the velocity is that of half this time earlier.
    static let measurementInterval = 0.1
    /// The minimum interval between two samples, in seconds.
    static let minimumInterval = 0.02
    /// The maximum ratio of successive velocities in a decelerating scroll.
    static let maximumVelocityRatio = 0.97
    /// The expected error as a share of the remaining distance, for confirmed and for first predictions.
    static let errorRatio = (confirmed: 0.15, first: 0.25)
    /// The expected error of the start of a grid row, in grid rows.
    static let minimumExpectedError = 0.5
    /// The largest exponent q.
    static let maximumExponent = 1.25

    private struct Sample {
        var time: Double
        var speed: Double
        var gridRow: Int
    }

    private var samples: [Sample] = []
    private var isBackwards = false
    private var columns: Int?
    /// The current prediction; nil while none is possible.
    private(set) var restPosition: RestPosition?

    mutating func record(_ viewport: Viewport, at time: Duration) {
        guard viewport.rowsPerSecond != 0 else { return self = FlingPredictor() }
        let sample = Sample(time: time / .seconds(1), speed: abs(viewport.rowsPerSecond), gridRow: viewport.gridRows.lowerBound)
        if let last = samples.last, sample.time - last.time < Self.minimumInterval, sample.gridRow == last.gridRow { return }
        if !continues(sample, viewport) {
            self = FlingPredictor()
            isBackwards = viewport.isScrollingBackwards
            columns = viewport.columns
        }
        if samples.count == Self.sampleLimit { samples.removeFirst() }
        samples.append(sample)
        updateRestPosition()
    }

    /// Whether a viewport continues the same movement, without another push or a jump.
    private func continues(_ sample: Sample, _ viewport: Viewport) -> Bool {
        guard let last = samples.last, columns == viewport.columns, isBackwards == viewport.isScrollingBackwards else { return false }
        let gap = sample.time - last.time
        guard gap > 0, gap <= ScrollLoadPolicy.velocityLifetime / .seconds(1), sample.speed <= last.speed / Self.maximumVelocityRatio
        else { return false }
        let distance = Double(isBackwards ? last.gridRow - sample.gridRow : sample.gridRow - last.gridRow)
        return distance > sample.speed * gap / 3 - 2 && distance < last.speed * gap * 2 + 2
    }

    // MARK: Remaining distance

    private mutating func updateRestPosition() {
        let earlier = restPosition
        restPosition = nil
        guard samples.count >= Self.minimumSampleCount, let last = samples.last, let distance = remainingDistance else { return }
        let gridRow = Double(last.gridRow) + 0.5 + (isBackwards ? -distance : distance)
        let error = earlier.map { max(abs(gridRow - $0.gridRow), distance * Self.errorRatio.confirmed) } ?? distance * Self.errorRatio.first
        restPosition = RestPosition(gridRow: gridRow, expectedError: max(Self.minimumExpectedError, error))
    }

    /// The remaining distance in grid rows; nil if the scroll does not decelerate.
    private var remainingDistance: Double? {
        let (first, middle, last) = (samples[0], samples[samples.count / 2], samples[samples.count - 1])
        guard last.speed < first.speed * Self.maximumVelocityRatio else { return nil }
        let exponent = exponent(first, middle, last)
        let slope = (Self.scale(first.speed, exponent) - Self.scale(last.speed, exponent)) / (last.time - first.time)
        let distance = pow(last.speed, 2 - exponent) / (slope * (2 - exponent))
        let delay = Self.measurementInterval / 2
        let passed = last.speed * delay * (1 - slope * pow(last.speed, exponent - 1) * delay / 2)
        let remaining = distance - max(0, passed)
        return remaining.isFinite ? max(0, remaining) : nil
    }

    /// Returns the exponent for which the velocity falls at the same rate in both halves of the samples.
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

    /// Returns a function of the velocity that falls linearly with time for an exponent other than 1.
    ///
    /// The exponents of a bisection are `maximumExponent` times a fraction whose denominator is a power of 2, and 1 is not among them.
    private static func scale(_ speed: Double, _ exponent: Double) -> Double { pow(speed, 1 - exponent) / (1 - exponent) }
}
