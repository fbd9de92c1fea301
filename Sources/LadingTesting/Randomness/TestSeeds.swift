import Foundation

/// The seeds of randomised tests: `LADING_SEED` when it is set, so that a failure can be repeated.
package enum TestSeeds {
    /// What `LADING_SEED` says; nil when it is not set, or no number.
    package static var fromEnvironment: UInt64? { ProcessInfo.processInfo.environment["LADING_SEED"].flatMap { UInt64($0) } }

    /// The seed that is given alone, or else the numbers from 1 to a count.
    package static func seeds(count: Int) -> [UInt64] {
        fromEnvironment.map { [$0] } ?? Array(1...UInt64(count))
    }
}
