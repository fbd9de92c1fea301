package import OrderLifecycle

/// The durations for which a store keeps what is no longer needed.
package struct OrderRetention: Hashable, Sendable {
    /// Of the bytes of proofs; their digests stay.
    package var proofs: Duration
    /// Of the names of people who were revoked.
    package var people: Duration
    package var positions: Duration
    /// Of verdicts; a client gives up after 14 days.
    package var verdicts: Duration
    /// Of changes; a client that was away for longer reads everything again.
    package var changes: Duration
    /// Of a proof that was never completed, after its last part.
    package var incompleteProofs: Duration

    /// The validity of a token after its last use, which stores compute from the expiry.
    package static let tokenLifetime = day * 90

    private static let day = Duration.seconds(86_400)
    /// The longest step from the time of one deletion to that of the next, forwards and back. A clock that is wrong at one costs no more.
    private static let longestStep = day

    package init(proofs: Duration? = nil, people: Duration? = nil) {
        self.proofs = proofs ?? Self.day * 90
        self.people = people ?? Self.day * 730
        positions = Self.day
        verdicts = Self.day * 30
        changes = Self.day * 30
        incompleteProofs = Self.day * 15
    }

    /// Returns the time from which a deletion measures ages: the present one, or an earlier one if much time has passed since the last deletion.
    ///
    /// - Parameter last: The recorded time of the last deletion, or that of the newest data before the first one; at least the time of the
    ///   oldest data. Nil if there is none of them.
    package static func referenceTime(after last: Timestamp?, now: Timestamp) -> Timestamp {
        last.map { min(now, $0 + longestStep) } ?? now
    }

    /// Returns the time to record: the reference time, but at most a day before the last recorded one.
    ///
    /// After one deletion by a clock that is years behind, the next ones would delete nothing for months otherwise.
    ///
    /// - Parameter last: The same as for `referenceTime`.
    package static func recordedTime(after last: Timestamp?, now: Timestamp) -> Timestamp {
        let time = referenceTime(after: last, now: now)
        return last.map { max(time, $0 + (.zero - longestStep)) } ?? time
    }
}
