/// A named resource with a limited number of slots, such as the connections to one host.
public struct Lane: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    /// The lane for CPU-bound work: parsing, joining, decoding.
    public static let cpu = Lane("cpu")
    /// The lane for file access.
    public static let disk = Lane("disk")
    /// The lane under which traces list cache hits; no operations run in it.
    static let memory = Lane("memory")
    /// Returns the lane of one server, named by host and port: `example.org:8080`.
    public static func network(_ authority: String) -> Lane { Lane(networkPrefix + authority) }

    private static let networkPrefix = "net:"

    var isNetwork: Bool { name.hasPrefix(Self.networkPrefix) }
}

/// The number of slots of a lane, and the number of them reserved for visible work.
public struct LaneLimits: Hashable, Sendable {
    /// The number of slots; at least 1.
    public let width: Int
    /// The number of slots that only visible work may occupy; less than `width`.
    public let reserved: Int
    /// The smallest width to which the lane adapts; nil for a fixed width.
    public let minimumWidth: Int?

    /// Creates the limits of a lane.
    ///
    /// - Parameters:
    ///   - width: The number of slots; at least 1.
    ///   - reserved: The number of slots that only visible work may occupy; less than `width`.
    ///   - minimumWidth: The smallest width of a lane that measures how many transfers saturate its link, and runs no more than that. The
    ///     measurements come from `OperationProgress`. Nil for a fixed width.
    public init(width: Int, reserved: Int = 0, minimumWidth: Int? = nil) {
        precondition(width >= 1 && reserved >= 0 && reserved < width, "a lane must have an unreserved slot: 0 <= reserved < width")
        precondition(minimumWidth.map { $0 >= 1 } ?? true, "the minimum width must be positive")
        self.width = width
        self.reserved = reserved
        self.minimumWidth = minimumWidth
    }

    /// Returns the number of slots that work of this urgency may occupy.
    func slots(for urgency: OperationPriority.Urgency) -> Int {
        urgency == .visible ? width : width - reserved
    }
}

/// The limits of a queue's lanes.
public struct LaneConfiguration: Sendable {
    /// The number of idle lanes that are retained.
    static let idleLaneLimit = 64

    /// The limits of individual lanes.
    public var named: [Lane: LaneLimits]
    /// The limits of every other network lane.
    public var network: LaneLimits
    /// The limits of every other lane.
    public var others: LaneLimits

    /// Creates a configuration of lanes.
    ///
    /// - Parameters:
    ///   - network: The limits of network lanes. Browsers open six connections per host over HTTP/1.1; two of them are reserved for visible work.
    ///   - processors: The width of every lane that is neither named nor a network lane, such as `cpu`.
    public init(
        named: [Lane: LaneLimits] = [:], network: LaneLimits = LaneLimits(width: 6, reserved: 2), processors: Int = 2
    ) {
        self.named = named
        self.network = network
        self.others = LaneLimits(width: max(1, processors))
    }

    /// Whether any lane measures its link and adapts its width.
    var isAdaptive: Bool { network.minimumWidth != nil || named.values.contains { $0.minimumWidth != nil } }

    func limits(of lane: Lane) -> LaneLimits {
        named[lane] ?? (lane.isNetwork ? network : others)
    }
}
