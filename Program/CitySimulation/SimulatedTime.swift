import Foundation
import SeededNumbers

/// The time in the city, which passes faster than real time, and the durations of what its people do.
package struct SimulatedTime: Sendable {
    /// The speed of a courier, in metres in a simulated second.
    static let courierSpeed = 8.0
    /// The real time between two positions of a courier.
    static let positionInterval = 4.0

    /// The number of simulated seconds in a second.
    package let speed: Double

    package init(speed: Double) {
        self.speed = speed
    }

    /// Waits for a number of real seconds.
    func wait(real seconds: Double) async throws { try await Task.sleep(for: .milliseconds(Int64(seconds * 1_000))) }

    /// Waits for a random number of simulated seconds.
    func wait(_ seconds: ClosedRange<Int>, _ random: inout SplitMix64) async throws {
        try await wait(real: Double(random.integer(in: seconds)) / speed)
    }
}
