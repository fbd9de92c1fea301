public import Foundation
import HTTPTypes
import LadingOperations

extension BackendClient {
    /// How much is read of the body of a reply that tells of no success, in bytes.
    private static let errorBodyLimit = 64 << 10

    /// Hands over the reply to a message as it arrives, whatever its status, after redirects.
    ///
    /// It is for bodies that are too long to be kept in memory, or whose end is far away: what `receive` reads of a reply that tells of success
    /// (200–299) has no bound but the limits of the executor. Interceptors are told the head of such a reply once it has been read, and can no
    /// longer change it or ask again. Any other reply, a refused token for instance, is theirs first, and `receive` gets the one they settle for, with
    /// the first 64 KiB of its body.
    ///
    /// - Parameters:
    ///   - redirects: How many redirects are followed.
    ///   - headTime: How long a reply may take to begin, to each request that is sent.
    ///   - receive: Reads the reply, and is told the URL that answered; it is called once, and the exchange ends when it returns.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, and what `receive` or an interceptor throws.
    public nonisolated(nonsending) func exchange<Outcome: Sendable>(
        _ message: RequestMessage, redirects: Int = 5, headTimeout: Duration = .seconds(30),
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody, URL) async throws -> Outcome
    ) async throws -> Outcome {
        var received: Result<(reply: BackendResponse, outcome: Outcome), any Error>?
        let exchange = ExchangeContext(redirects: redirects, timeLimit: headTimeout, stopwatch: nil)
        let response = try await response(to: message, exchange, through: interceptors[...]) { head, body, hop in
            // Whoever asks again after a success, or after what reading it threw, would have it read twice.
            if let received { return try received.get().reply }
            var response = BackendResponse(url: hop.url, status: head.status, headers: head.headers)
            guard head.status.kind == .successful else {
                response.body = try await prefix(of: body, within: headTimeout)
                return response
            }
            do {
                received = .success((response, try await receive(head, body, hop.url)))
                return response
            } catch {
                received = .failure(error)
                throw error
            }
        }
        if let received { return try received.get().outcome }
        return try await receive(ResponseHead(status: response.status, headers: response.headers), ResponseBody(response.body), response.url)
    }

    /// What there is to know of the body of a refusal: it is not worth waiting for long, and how it ends does not matter.
    private func prefix(of body: ResponseBody, within time: Duration) async throws -> [UInt8] {
        let stopwatch = startStopwatch()
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk.prefix(Self.errorBodyLimit - bytes.count)
                if bytes.count == Self.errorBodyLimit || stopwatch.elapsed() > time { break }
            }
        } catch {
            try Task.checkCancellation()
        }
        return bytes
    }
}

extension ResponseBody {
    /// A body that is there already.
    fileprivate init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        self.init { rest.take() }
    }
}
