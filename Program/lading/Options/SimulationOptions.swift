import ArgumentParser
import Origin

/// The faults and the link that are simulated for the embedded server.
struct SimulationOptions: ParsableArguments {
    @Option(help: "Simulate a network link to the server; all connections share its bandwidth, latency and packet loss.")
    var link: LinkProfile?

    @Option(
        help: ArgumentHelp(
            """
            Inject faults into this share of responses (0.2 or 20%), of these kinds: \
            \(Fault.allCases.map(\.rawValue).joined(separator: ", ")) (default: all). \
            Lists fail too; retry the request. /health and /-/counts never fail. "original" injects the faults of the original \
            deliveries service, for deliveries only: one page in nine fails, and each page is delayed by up to 4 s and has different \
            content for the same ids every time.
            """, valueName: "rate[,kinds]"),
        transform: { text in
            do throws(FaultPlan.FormatError) { return try FaultPlan(text) } catch { throw ValidationError(error.description) }
        })
    var faults: FaultPlan?

    @Option(parsing: .unconditional, help: "The seed of faults and of packet loss on the link (default: \(Self.defaultSeed)).")
    var faultsSeed: UInt64?

    func validate() throws {
        if faultsSeed != nil, faults == nil, link == nil { throw ValidationError("--faults-seed requires --faults or --link.") }
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
