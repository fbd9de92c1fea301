import LadingHTTP
import Synchronization

/// The numbers of bodies that are forwarded while they arrive, by the tokens of their senders.
final class UploadCounts: Sendable {
    /// The maximum number for each token. A connection that a phone has lost counts until it is closed, after a minute.
    static let limit = 8

    private let counts = Mutex<[String: Int]>([:])

    /// Performs the exchange that sends a body. One in memory is not counted.
    ///
    /// - Throws: `PageError.tooManyUploads` beyond the limit, and errors of the exchange.
    func counting<Outcome>(
        _ body: RequestBody, of token: String, _ exchange: () async throws -> Outcome
    ) async throws -> Outcome {
        guard body.bytes == nil else { return try await exchange() }
        guard begin(token) else { throw PageError.tooManyUploads }
        defer { end(token) }
        return try await exchange()
    }

    private func begin(_ token: String) -> Bool {
        counts.withLock { counts in
            let count = counts[token, default: 0]
            guard count < Self.limit else { return false }
            counts[token] = count + 1
            return true
        }
    }

    private func end(_ token: String) {
        counts.withLock { counts in
            let count = counts[token, default: 0]
            counts[token] = count > 1 ? count - 1 : nil
        }
    }
}
