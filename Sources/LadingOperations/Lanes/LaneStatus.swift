/// How busy a lane is at one moment.
public struct LaneStatus: Hashable, Sendable {
    public var lane: Lane
    public var limits: LaneLimits
    /// The operations that have a slot.
    public var running: Int
    /// Those that will need one, whatever they wait for.
    public var waiting: Int
}
