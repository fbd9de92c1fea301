import SeededNumbers

/// The sols of the demo's rovers. Each depends only on the seed, the rover and its own number.
///
/// Sols have gaps: single ones, and 18 sols around each solar conjunction, about every two years. One in thirty is a survey with hundreds of photos;
/// sol 1000 of every rover has exactly 500, from all its cameras.
struct DemoSols: Sendable {
    /// Increment when the same seed produces other sols.
    static let version = 1

    private static let solsPerGap = 7
    private static let solsPerLargeCount = 30
    private static let normalPhotoCounts = 4...120
    private static let largePhotoCounts = 240...680
    /// The sol with the same number of photos on every rover.
    private static let referenceSol = (sol: 1_000, photos: 500)
    /// The solar conjunction: its period in sols, and the sols of each period without transmissions.
    private static let conjunction = (period: 759, silence: 700..<718)
    /// The distance between the photo numbers of two rovers.
    private static let numbersPerRover = 10_000_000

    let seed: UInt64

    /// Returns all sols of a rover that have photos.
    func sols(of rover: MarsRover) -> [MarsSol] {
        var number = rover.number * Self.numbersPerRover
        return (0...rover.lastSol).compactMap { sol in
            let cameraCounts = cameraCounts(of: sol, rover)
            guard !cameraCounts.isEmpty else { return nil }
            defer { number += cameraCounts.reduce(0) { $0 + $1.count } }
            return MarsSol(rover: rover, number: sol, firstPhoto: number, cameraCounts: cameraCounts)
        }
    }

    private func cameraCounts(of sol: Int, _ rover: MarsRover) -> [MarsSol.CameraCount] {
        // Does not overlap the streams of orders and deliveries.
        var generator = SplitMix64(seed: seed, stream: 1 << 40 + rover.number << 20 + sol)
        let isAlwaysPresent = sol == Self.referenceSol.sol || sol == rover.lastSol
        let isGap = generator.isTrue(onceIn: Self.solsPerGap) || Self.conjunction.silence.contains(sol % Self.conjunction.period)
        guard !isGap || isAlwaysPresent else { return [] }
        let isSurvey = generator.isTrue(onceIn: Self.solsPerLargeCount)
        let randomTotal = generator.integer(in: isSurvey ? Self.largePhotoCounts : Self.normalPhotoCounts)
        let total = sol == Self.referenceSol.sol ? Self.referenceSol.photos : randomTotal
        let isWhole = sol == Self.referenceSol.sol
        let weights = rover.cameras.map { _ in generator.isTrue(onceIn: 3) && !isWhole ? 0 : generator.integer(in: 1...9) }
        let sum = weights.reduce(0, +)
        var counts = sum == 0 ? weights : weights.map { total * $0 / sum }
        // The remainder of the division.
        counts[1] += total - counts.reduce(0, +)
        return zip(rover.cameras, counts).filter { $1 > 0 }.map { MarsSol.CameraCount(camera: $0, count: $1) }
    }
}
