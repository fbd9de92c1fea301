public import Foundation
import HTTPTypes
import Timing

extension BackendClient {
    /// Streams the response to a message to `receive`, whatever its status, after redirects.
    ///
    /// Use it for bodies that do not fit in memory or have no near end: `receive` reads a successful response (200–299) without any limit but those
    /// of the executor. Interceptors get the head of such a response after it has been read, and can neither change it nor repeat the request. Any
    /// other response, a rejected token for instance, passes through the interceptors first; `receive` gets their final one, with the first
    /// `ErrorResponse.bodyLimit` bytes (16 KiB) of its body.
    ///
    /// - Parameters:
    ///   - redirects: The maximum number of redirects.
    ///   - headTimeout: The maximum wait for the response head, for each request that is sent. The `readTimeout` of the executor, 10 s by default, ends
    ///     the wait for a silent server earlier.
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - receive: Reads the response, with the URL that responded; called once. The exchange ends when it returns.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, and errors of `receive` or an interceptor.
    public nonisolated(nonsending) func exchange<Outcome: Sendable>(
        _ message: RequestMessage, redirects: Int = 5, headTimeout: Duration = .seconds(30), partition: String = "",
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody, URL) async throws -> Outcome
    ) async throws -> Outcome {
        var received: Result<(response: BackendResponse, outcome: Outcome), any Error>?
        let exchange = ExchangeContext(redirects: redirects, timeLimit: .eachHead(headTimeout), partition: partition)
        let response = try await response(to: message, exchange, through: interceptors[...]) { head, body, hop in
            // An interceptor that repeats a request after a success, or after an error of `receive`, would have the response read twice.
            if let received { return try received.get().response }
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
        return try await receive(
            ResponseHead(status: response.status, headers: response.headers), ResponseBody(response.body), response.url)
    }

    /// Returns the beginning of the body of an error response, read for a limited time; errors of the body are ignored.
    private func prefix(of body: ResponseBody, within time: Duration) async throws -> [UInt8] {
        let stopwatch = startStopwatch()
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk.prefix(ErrorResponse.bodyLimit - bytes.count)
                if bytes.count == ErrorResponse.bodyLimit || stopwatch.elapsed() > time { break }
            }
        } catch {
            try Task.checkCancellation()
        }
        return bytes
    }
}

extension ResponseBody {
    /// Creates a body from bytes in memory.
    fileprivate init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        self.init { rest.take() }
    }
}
