/// A named resource that operations take turns on, such as the connections to one host.
public struct Lane: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    /// Work for the processor: parsing, joining, decoding.
    public static let cpu = Lane("cpu")
    /// Work that waits for files.
    public static let disk = Lane("disk")
    /// Where the trace tells of what was known already; nothing runs here.
    static let memory = Lane("memory")
    /// Exchanges with one server, named by host and port.
    public static func network(_ authority: String) -> Lane { Lane(networkPrefix + authority) }

    private static let networkPrefix = "net:"

    var isNetwork: Bool { name.hasPrefix(Self.networkPrefix) }
}

/// How many operations of a lane run at once, and how many of those slots are kept for visible work.
public struct LaneLimits: Hashable, Sendable {
    /// The slots of the lane; at least 1.
    public let width: Int
    /// The slots that only visible work may take; less than `width`.
    public let reserved: Int
    /// How few run at once when that is found to fill the line; nil where the width is the width, whatever the line carries.
    public let minimumWidth: Int?

    /// - Parameter narrowest: Lets the lane find out how many transfers fill its line, and run no more of them than that, but at least so many. What
    ///   they tell through `OperationProgress` is what it goes by.
    public init(width: Int, reserved: Int = 0, minimumWidth: Int? = nil) {
        precondition(width >= 1 && reserved >= 0 && reserved < width, "a lane needs a slot that every operation may take")
        precondition(minimumWidth.map { $0 >= 1 } ?? true, "a lane has room for one operation")
        self.width = width
        self.reserved = reserved
        self.minimumWidth = minimumWidth
    }

    /// The slots that work of this urgency may fill.
    func slots(for urgency: OperationPriority.Urgency) -> Int {
        urgency == .visible ? width : width - reserved
    }
}

/// Which limits each lane of a queue has.
public struct LaneConfiguration: Sendable {
    /// How many lanes are remembered that nothing runs in.
    static let idleLaneLimit = 64

    /// The limits of lanes that are named.
    public var named: [Lane: LaneLimits]
    /// The limits of every other network lane.
    public var network: LaneLimits
    /// The limits of every other lane.
    public var others: LaneLimits

    /// - Parameters:
    ///   - network: Six connections a host is what browsers open over HTTP/1.1; two of them are kept for visible work.
    ///   - processors: The width of the lane `cpu`.
    public init(
        named: [Lane: LaneLimits] = [:], network: LaneLimits = LaneLimits(width: 6, reserved: 2), processors: Int = 2
    ) {
        self.named = named
        self.network = network
        self.others = LaneLimits(width: max(1, processors))
    }

    /// Whether any lane is to find out what its line carries.
    var isAdaptive: Bool { network.minimumWidth != nil || named.values.contains { $0.minimumWidth != nil } }

    func limits(of lane: Lane) -> LaneLimits {
        named[lane] ?? (lane.isNetwork ? network : others)
    }
}
