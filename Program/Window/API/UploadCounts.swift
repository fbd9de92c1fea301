import LadingHTTP
import ServerStartup

/// The numbers of bodies that are forwarded while they arrive, by the tokens of their senders.
final class UploadCounts: Sendable {
    /// The maximum number for each token. A connection that a phone has lost counts until it is closed, after a minute.
    static let limit = 8

    private let counts = ClientCounts<String>(limit: UploadCounts.limit)

    /// Performs the exchange that sends a body. One in memory is not counted.
    ///
    /// - Throws: `PageError.tooManyUploads` beyond the limit, and errors of the exchange.
    func counting<Outcome>(
        _ body: RequestBody, of token: String, _ exchange: () async throws -> Outcome
    ) async throws -> Outcome {
        guard body.bytes == nil else { return try await exchange() }
        guard counts.add(token) else { throw PageError.tooManyUploads }
        defer { counts.remove(token) }
        return try await exchange()
    }
}
