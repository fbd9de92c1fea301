import Foundation

/// The seeds of randomised tests: `LADING_SEED` when it is set, so that a failure can be repeated, else the same ones every time.
enum Seeds {
    static func several(_ count: Int) -> [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["LADING_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...UInt64(count))
    }
}
