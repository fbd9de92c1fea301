/// What runs in one lane and what is ready to.
struct LaneState<Flight> {
    let limits: LaneLimits
    var running = 0
    /// The live entries of `ready`; the rest are stale.
    var live = 0
    var ready = ReadyHeap<Flight>()

    var isIdle: Bool { running == 0 && live == 0 }

    /// Whether stale entries outnumber live ones by enough to be worth a rebuild.
    var isCluttered: Bool { ready.count > 2 * live + 64 }

    func admits(_ priority: OperationPriority) -> Bool {
        running < limits.slots(for: priority.urgency)
    }
}
