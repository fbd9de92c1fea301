import ArgumentParser
import LadingHTTP

/// The number of retries.
struct RetryOptions: ParsableArguments {
    /// The default number of retries: with a server that fails one request in nine, one request in 59,000 fails for the user.
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
