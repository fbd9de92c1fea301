/// Where a flight is on its way. Transitions: waiting → ready → running → (continuing →) gone; from each of them to gone by
/// cancellation, though a running one stays, interrupted, until its work has ended.
enum FlightPhase: Equatable {
    /// For this many dependencies.
    case waiting(Int)
    /// For a slot of its lane.
    case ready
    case running
    /// Running, and so near its end that it goes on although nobody may want it any more.
    case landing
    /// Running, but nobody wants it any more.
    case interrupted
    /// Its work ended by naming another wish whose end is its own.
    case continuing
}
