/// The load of a lane at one moment.
public struct LaneStatus: Hashable, Sendable {
    public var lane: Lane
    public var limits: LaneLimits
    /// The number of operations that may run at once; less than the width of the limits where fewer saturate the link.
    public var width: Int
    /// The number of operations that occupy a slot.
    public var running: Int
    /// The number of operations that need a slot later.
    public var waiting: Int

    /// Creates a status, for tests and previews.
    public init(lane: Lane, limits: LaneLimits, width: Int, running: Int, waiting: Int) {
        (self.lane, self.limits, self.width, self.running, self.waiting) = (lane, limits, width, running, waiting)
    }
}
