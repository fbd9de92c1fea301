import ArgumentParser
import Foundation

/// The URL of another system, to which each change of an order is sent.
struct WebhookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Send each change of an order to this URL, or that in @FILE, as a POST of JSON: at least once, those of an order in their \
            order, and again until a status of 200 to 299 answers.
            """, valueName: "url"),
        transform: WebAddress.init(confidentialArgument:))
    var webhook: WebAddress?

    @Option(
        help: ArgumentHelp(
            """
            The file with the secret that signs requests to the webhook (default: \(Self.secretName) in the data directory, created when \
            it is missing).
            """, valueName: "file"))
    var webhookSecretFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of days for which a change is sent to the webhook again until it is accepted (default: \(Self.defaultDays)).",
            valueName: "days"))
    var webhookDays: Int?

    func validate() throws {
        if let webhookDays, !(1...365).contains(webhookDays) { throw ValidationError("--webhook-days must be from 1 to 365.") }
        guard webhook?.url.user == nil, webhook?.url.password == nil else {
            throw ValidationError("--webhook must have no user name and no password: the receiver verifies the signature of each event.")
        }
        guard webhook == nil, let option = specifiedOptions.first else { return }
        throw ValidationError("\(option) requires --webhook.")
    }

    /// Checks that there is a directory for the events that wait for the webhook.
    func validate(inMemory: Bool) throws {
        guard inMemory, webhook != nil else { return }
        throw ValidationError("--webhook stores events until they are accepted: remove --in-memory.")
    }

    /// The specified options, which have no effect where no origin is started.
    var specifiedOptions: [String] {
        [
            ("--webhook", webhook != nil), ("--webhook-secret-file", webhookSecretFile != nil), ("--webhook-days", webhookDays != nil),
        ]
        .filter(\.1).map(\.0)
    }

    /// The time after which an event is abandoned.
    var age: Duration { .seconds(86_400 * (webhookDays ?? Self.defaultDays)) }

    /// The name of the file with the secret in the data directory.
    static let secretName = "webhook-secret"
    /// The number of days without `--webhook-days`, after which servers forget the keys of requests too.
    private static let defaultDays = 14
}
