import ArgumentParser
import LadingHTTP

/// How hard to try.
struct RetryOptions: ParsableArguments {
    /// How often a request is repeated unless told otherwise: of a server that fails one request in nine, somebody sees one failure in 59,000.
    static let defaultCount = 4

    @Option(
        name: .customLong("retries"), parsing: .unconditional,
        help: ArgumentHelp(
            "How often a request that failed is repeated, when that may help: after 0.3 s at most, then twice that, never more than 1 s.",
            valueName: "count"))
    var count = Self.defaultCount

    func validate() throws {
        guard (0...10).contains(count) else { throw ValidationError("--retries takes a number from 0 to 10.") }
    }
}
