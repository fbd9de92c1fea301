import ArgumentParser
import Origin

/// The faults and the link that are simulated for the embedded server.
struct SimulationOptions: ParsableArguments {
    @Option(help: "Reach the server across a simulated link; all connections share its bandwidth, latency and losses.")
    var link: LinkProfile?

    @Option(
        help: ArgumentHelp(
            """
            Let this share of replies go wrong (0.2 or 20%), in any of these ways: \
            \(Fault.allCases.map(\.rawValue).joined(separator: ", ")) (default: all of them). \
            Lists go wrong too: asking again helps. /health and /-/counts never do. "original" lets the deliveries alone behave as they once did: \
            one page in nine fails, each comes up to 4 s late, with other content for the same ids every time.
            """, valueName: "rate[,kinds]"),
        transform: { text in
            do throws(FaultPlan.FormatError) { return try FaultPlan(text) } catch { throw ValidationError(error.description) }
        })
    var faults: FaultPlan?

    @Option(parsing: .unconditional, help: "Another seed makes other faults, and other losses on the link (default: \(Self.defaultSeed)).")
    var faultsSeed: UInt64?

    func validate() throws {
        if faultsSeed != nil, faults == nil, link == nil { throw ValidationError("--faults-seed needs --faults or --link.") }
    }

    /// The faults injected into responses.
    var plan: FaultPlan? {
        var plan = faults
        plan?.seed = seed
        return plan
    }

    var seed: UInt64 { faultsSeed ?? Self.defaultSeed }

    /// The specified options, which have no effect where no origin is started.
    var specifiedOptions: [String] {
        [("--link", link != nil), ("--faults", faults != nil)].filter(\.1).map(\.0)
    }

    private static let defaultSeed: UInt64 = 1
}

extension LinkProfile: ExpressibleByArgument {
    package init?(argument: String) {
        guard let profile = Self.named(argument) else { return nil }
        self = profile
    }

    package static var allValueStrings: [String] { all.map(\.name) }

    package var defaultValueDescription: String { name }
}
