/// The sols of the demo's rovers: each follows from the seed, the rover and its own number alone.
///
/// Sols have gaps: single ones, and some weeks every two years, when the sun stands between the planets. One in thirty is a survey with hundreds of photos;
/// sol 1000 of every rover has exactly 500, of all its cameras.
struct DemoSols: Sendable {
    /// Rises whenever the same seed would give other sols than before.
    static let version = 1

    private static let solsPerGap = 7
    private static let solsPerSurvey = 30
    private static let typicalPhotoCounts = 4...120
    private static let surveyPhotoCounts = 240...680
    /// The sol that is the same on every rover, and how many photos it has.
    private static let referenceSol = (sol: 1_000, photos: 500)
    /// Earth, Sun and Mars stand in line every so many sols, and for so many of them nothing is sent.
    private static let conjunction = (period: 759, silence: 700..<718)
    /// Numbers of photos of one rover lie so far from those of the next.
    private static let numbersPerRover = 10_000_000

    let seed: UInt64

    /// All sols of a rover that have photos.
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
        // Far from the streams of orders and deliveries.
        var generator = SplitMix64(seed: seed, stream: 1 << 40 + rover.number << 20 + sol)
        let isAlwaysPresent = sol == Self.referenceSol.sol || sol == rover.lastSol
        let isGap = generator.isTrue(onceIn: Self.solsPerGap) || Self.conjunction.silence.contains(sol % Self.conjunction.period)
        guard !isGap || isAlwaysPresent else { return [] }
        let isSurvey = generator.isTrue(onceIn: Self.solsPerSurvey)
        let randomTotal = generator.integer(in: isSurvey ? Self.surveyPhotoCounts : Self.typicalPhotoCounts)
        let total = sol == Self.referenceSol.sol ? Self.referenceSol.photos : randomTotal
        let isWhole = sol == Self.referenceSol.sol
        let weights = rover.cameras.map { _ in generator.isTrue(onceIn: 3) && !isWhole ? 0 : generator.integer(in: 1...9) }
        let sum = weights.reduce(0, +)
        var counts = sum == 0 ? weights : weights.map { total * $0 / sum }
        // What division leaves over.
        counts[1] += total - counts.reduce(0, +)
        return zip(rover.cameras, counts).filter { $1 > 0 }.map { MarsSol.CameraCount(camera: $0, count: $1) }
    }
}
