import ArgumentParser

/// The number of retries.
struct RetryOptions: ParsableArguments {
    /// The default number of retries: with a server that fails one request in nine, one request in 59,000 fails for the user.
    static let defaultCount = 4

    @Option(
        name: .customLong("retries"), parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of retries after a transient failure, with delays of at most 0.3 s, doubling up to 1 s.",
            valueName: "count"))
    var count = Self.defaultCount

    func validate() throws {
        guard (0...10).contains(count) else { throw ValidationError("--retries must be from 0 to 10.") }
    }
}
