import Foundation

/// A converter of local times of a time zone to UTC, which caches the offsets of days without a change of the clocks.
struct ZoneOffsets: Sendable {
    private static let secondsPerDay: Int64 = 86_400
    /// The largest number of cached days.
    private static let dayLimit = 4_096

    let timeZone: TimeZone
    /// The offsets from UTC in seconds, by the days since 1 January 1970.
    private var offsets: [Int64: Int64] = [:]

    init(_ timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// Returns the time in UTC; nil if the clocks skip the local time. Of two times, when the clocks are put back, it is the earlier.
    ///
    /// - Parameter local: The seconds since 1 January 1970 00:00 by the clocks of the time zone.
    mutating func time(ofLocal local: Int64) -> Int64? {
        let day = (local - (local % Self.secondsPerDay + Self.secondsPerDay) % Self.secondsPerDay) / Self.secondsPerDay
        if let offset = offsets[day] { return local - offset }
        let (before, after) = (offset(at: (day - 1) * Self.secondsPerDay), offset(at: (day + 2) * Self.secondsPerDay))
        guard before == after else {
            return [max(before, after), min(before, after)].map { local - $0 }.first { offset(at: $0) == local - $0 }
        }
        if offsets.count == Self.dayLimit { offsets.removeAll(keepingCapacity: true) }
        offsets[day] = before
        return local - before
    }

    private func offset(at time: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(time))))
    }
}
