import LadingHTTP
import ServerStartup

/// An executor that limits the concurrent exchanges of one client with the origin, whose connections all clients share.
///
/// A client that sends or reads slowly holds a connection to the origin for as long. An exchange counts until it ends, also after its client has
/// disconnected: to notice that, the proxy would have to close each connection after its response, and refuse clients that half-close theirs.
struct ClientLimitExecutor: BackendExecutor {
    let base: any BackendExecutor
    let counts: ClientCounts<ClientAddress>
    let client: ClientAddress

    /// - Throws: `TooManyExchanges` if the client has reached its limit, and errors of the base.
    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard counts.add(client) else { throw TooManyExchanges() }
        defer { counts.remove(client) }
        return try await base.execute(message, timeLimit: timeLimit, receive: receive)
    }
}

/// The error of an exchange beyond the limit of its client.
///
/// It is no `BackendError`, because the origin is reachable: no stale response is served in its place.
struct TooManyExchanges: Error, CustomStringConvertible {
    var description: String { "Too many requests of this client are in progress." }
}
