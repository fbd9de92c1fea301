/// A set of lanes that are paused or resumed together.
public enum LaneScope: Hashable, Sendable {
    case all
    /// All network lanes.
    case network
    case lane(Lane)

    func contains(_ lane: Lane) -> Bool {
        switch self {
        case .all: true
        case .network: lane.isNetwork
        case .lane(let other): lane == other
        }
    }
}
