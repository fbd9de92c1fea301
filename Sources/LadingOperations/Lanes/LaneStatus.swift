/// How busy a lane is at one moment.
public struct LaneStatus: Hashable, Sendable {
    public var lane: Lane
    public var limits: LaneLimits
    /// How many may run at once now: less than the width of the limits where that fills the line.
    public var width: Int
    /// The operations that have a slot.
    public var running: Int
    /// Those that will need one, whatever they wait for.
    public var waiting: Int
}
