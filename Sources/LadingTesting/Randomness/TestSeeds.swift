import Foundation

/// The seeds of randomised tests. `LADING_SEED` reproduces a failure.
package enum TestSeeds {
    /// The value of `LADING_SEED`; nil when it is not set or no number.
    package static var fromEnvironment: UInt64? { ProcessInfo.processInfo.environment["LADING_SEED"].flatMap { UInt64($0) } }

    /// Returns the seed of `LADING_SEED` if set, otherwise the numbers from 1 to a count.
    package static func seeds(count: Int) -> [UInt64] {
        fromEnvironment.map { [$0] } ?? Array(1...UInt64(count))
    }
}
