import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

/// Tests of streamed responses with interceptors and a circuit breaker.
@Suite struct InterceptedExchangeTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let url = URL(string: "http://example.org/file")!

    private func client(_ interceptors: any RequestInterceptor..., retries: RetryControl? = nil) -> BackendClient {
        BackendClient(executor: executor, clock: clock, interceptors: interceptors, retries: retries)
    }

    /// Returns the received heads, each with the readable part of its body.
    private func receivedResponses(_ client: BackendClient) async throws -> [String] {
        var heads: [String] = []
        try await client.exchange(RequestMessage(url: url)) { head, body, _ in
            var bytes: [UInt8] = []
            for try await chunk in body { bytes += chunk }
            heads.append("\(head.status.code) \(String(decoding: bytes, as: UTF8.self))")
        }
        return heads
    }

    // MARK: Interceptors

    @Test func `An interceptor changes the message, and receives the head once the body has been read`() async throws {
        executor.script(url.absoluteString, .response(text: "long"))
        let log = Log()

        #expect(try await receivedResponses(client(LoggingInterceptor(log: log))) == ["200 long"])
        #expect(executor.requests.first?.headers[.acceptLanguage] == "eo")
        #expect(log.lines == ["200, 0 bytes"])
    }

    @Test func `A rejected token is renewed before the response is passed to the receiver`() async throws {
        executor.script(url.absoluteString, .response(status: .unauthorized, text: "who?"), .response(text: "file"))
        let token = BearerTokenInterceptor(for: [url], token: "old") { _ in "new" }

        #expect(try await receivedResponses(client(token)) == ["200 file"])
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test func `The interceptors' final error response is received, with the prefix of its body`() async throws {
        executor.script(
            url.absoluteString, .response(status: .unauthorized, text: "who?"),
            .response(status: .forbidden, body: Array(repeating: UInt8(ascii: "n"), count: 100_000)))
        let token = BearerTokenInterceptor(for: [url], token: "old") { _ in "new" }

        #expect(try await receivedResponses(client(token)) == ["403 " + String(repeating: "n", count: ErrorResponse.bodyLimit)])
    }

    @Test func `An error response is received although its body is interrupted`() async throws {
        let interrupted = BackendError.interrupted(url, cause: CancellationError())
        executor.script(url.absoluteString, .chunks([Array("no".utf8)]))
        let client = BackendClient(executor: NotFoundExecutor(executor: executor, error: interrupted), clock: clock)

        #expect(try await receivedResponses(client) == ["404 no"])
    }

    @Test func `An interceptor may respond by itself, and a repeat after a success returns the first response`() async throws {
        executor.script(url.absoluteString, .response(text: "first"), .response(text: "second"))

        #expect(try await receivedResponses(client(StaticResponseInterceptor())) == ["204 mine"])
        #expect(executor.requests.isEmpty)
        #expect(try await receivedResponses(client(SendTwiceInterceptor())) == ["200 first"])
    }

    @Test func `A response that has been read is not requested again after the receiver failed`() async throws {
        struct StopReading: Error {}
        executor.script(url.absoluteString, .response(text: "first"), .response(text: "second"))
        var readCount = 0

        await #expect(throws: StopReading.self) {
            try await client(RetryOnErrorInterceptor()).exchange(RequestMessage(url: url)) { _, _, _ in
                readCount += 1
                throw StopReading()
            }
        }
        #expect(readCount == 1)
    }

    // MARK: Circuit breaker

    private func control(probeTime: Duration = .seconds(60)) -> RetryControl {
        RetryControl(circuit: CircuitLimits(minimumOutcomes: 2, probeTimeout: probeTime), clock: clock)
    }

    @Test func `A host with an open circuit receives no request`() async throws {
        executor.script(url.absoluteString, .response(text: "file"))
        let (control, message) = (control(), RequestMessage(url: url))
        for _ in 0..<2 { control.end(try control.admit(message), with: .success(.badGateway)) }

        await #expect { try await receivedResponses(client(retries: control)) } throws: { error in
            if case BackendError.circuitOpen = error { true } else { false }
        }
        #expect(executor.requests.isEmpty)

        clock.advance(by: .seconds(2))
        #expect(try await receivedResponses(client(retries: control)) == ["200 file"])
    }

    @Test(arguments: [
        ScriptedExecutor.Response.response(status: .serviceUnavailable),
        .failure(BackendError.unreachable(URL(filePath: "/"), cause: CancellationError())),
    ])
    func `Failures are reported to the circuit breaker`(answer: ScriptedExecutor.Response) async throws {
        executor.script(url.absoluteString, answer)
        let control = control()

        for _ in 0..<2 { _ = try? await receivedResponses(client(retries: control)) }

        #expect(throws: BackendError.self) { try control.admit(RequestMessage(url: url)) }
    }

    @Test func `An interrupted body is reported to the circuit breaker, and an unread one is not`() async throws {
        struct StopReading: Error {}
        executor.script(url.absoluteString, .truncated(after: [[1]], BackendError.interrupted(url, cause: CancellationError())))
        let (control, message) = (control(), RequestMessage(url: url))

        for _ in 0..<2 {
            _ = try? await client(retries: control).exchange(message) { _, _, _ in throw StopReading() }
        }
        #expect(throws: Never.self) { control.end(try control.admit(message), with: .success(.ok)) }

        for _ in 0..<4 { _ = try? await receivedResponses(client(retries: control)) }
        #expect(throws: BackendError.self) { try control.admit(message) }
    }

    @Test func `A long response body does not prolong the half-open state`() async throws {
        executor.script(url.absoluteString, .chunks([[1], [2]]))
        let (control, message) = (control(), RequestMessage(url: url))
        for _ in 0..<2 { control.end(try control.admit(message), with: .success(.badGateway)) }
        clock.advance(by: .seconds(2))

        try await client(retries: control).exchange(message) { _, _, _ in
            #expect(throws: Never.self) { try control.admit(message) }
        }
    }
}

/// An interceptor that requests Esperanto, and logs the responses.
private struct LoggingInterceptor: RequestInterceptor {
    let log: Log

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        var message = message
        message.headers[.acceptLanguage] = "eo"
        let response = try await next(message)
        log.append("\(response.status.code), \(response.body.count) bytes")
        return response
    }
}

private struct StaticResponseInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        BackendResponse(url: message.url, status: .noContent, body: Array("mine".utf8))
    }
}

private struct SendTwiceInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        _ = try await next(message)
        return try await next(message)
    }
}

private struct RetryOnErrorInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        do { return try await next(message) } catch { return try await next(message) }
    }
}

/// An executor that replaces each response by a 404 with an interrupted body.
private struct NotFoundExecutor: BackendExecutor {
    let executor: ScriptedExecutor
    let error: any Error

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await executor.execute(message, timeLimit: timeLimit) { _, body in
            var chunks = body.makeAsyncIterator()
            return try await receive(
                ResponseHead(status: .notFound),
                ResponseBody {
                    guard let chunk = try await chunks.next() else { throw error }
                    return chunk
                })
        }
    }
}
