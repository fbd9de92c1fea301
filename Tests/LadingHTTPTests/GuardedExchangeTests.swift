import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

/// Replies that are handed over as they arrive, within interceptors and under the eyes of a circuit breaker.
@Suite struct GuardedExchangeTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let url = URL(string: "http://example.org/file")!

    private func client(_ interceptors: any RequestInterceptor..., retries: RetryControl? = nil) -> BackendClient {
        BackendClient(executor: executor, clock: clock, interceptors: interceptors, retries: retries)
    }

    /// The heads that were handed over, each with what could be read of its body.
    private func heads(_ client: BackendClient) async throws -> [String] {
        var heads: [String] = []
        try await client.exchange(RequestMessage(url: url)) { head, body, _ in
            var bytes: [UInt8] = []
            for try await chunk in body { bytes += chunk }
            heads.append("\(head.status.code) \(String(decoding: bytes, as: UTF8.self))")
        }
        return heads
    }

    // MARK: Interceptors

    @Test func `An interceptor changes the message, and is told the head once the body has been read`() async throws {
        executor.script(url.absoluteString, .reply(text: "long"))
        let log = Log()

        #expect(try await heads(client(Telling(log: log))) == ["200 long"])
        #expect(executor.requests.first?.headers[.acceptLanguage] == "eo")
        #expect(log.lines == ["200, 0 bytes"])
    }

    @Test func `A token that was refused is renewed before anything is handed over`() async throws {
        executor.script(url.absoluteString, .reply(status: .unauthorized, text: "who?"), .reply(text: "file"))
        let token = BearerTokenInterceptor(for: [url], token: "old") { _ in "new" }

        #expect(try await heads(client(token)) == ["200 file"])
        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test func `The refusal that interceptors settle for is handed over, with the beginning of its body`() async throws {
        executor.script(
            url.absoluteString, .reply(status: .unauthorized, text: "who?"),
            .reply(status: .forbidden, body: Array(repeating: UInt8(ascii: "n"), count: 100_000)))
        let token = BearerTokenInterceptor(for: [url], token: "old") { _ in "new" }

        #expect(try await heads(client(token)) == ["403 " + String(repeating: "n", count: 65_536)])
    }

    @Test func `How the body of a refusal ends does not matter`() async throws {
        let interrupted = BackendError.interrupted(url, cause: CancellationError())
        executor.script(url.absoluteString, .chunks([Array("no".utf8)]))
        let client = BackendClient(executor: Refusing(executor: executor, error: interrupted), clock: clock)

        #expect(try await heads(client) == ["404 no"])
    }

    @Test func `An interceptor that answers by itself is heard, and one that asks again after a success is not`() async throws {
        executor.script(url.absoluteString, .reply(text: "first"), .reply(text: "second"))

        #expect(try await heads(client(Answering())) == ["204 mine"])
        #expect(executor.requests.isEmpty)
        #expect(try await heads(client(AskingTwice())) == ["200 first"])
    }

    @Test func `What was read once is not read again, whoever asks again after it went wrong`() async throws {
        struct Enough: Error {}
        executor.script(url.absoluteString, .reply(text: "first"), .reply(text: "second"))
        var readings = 0

        await #expect(throws: Enough.self) {
            try await client(Insisting()).exchange(RequestMessage(url: url)) { _, _, _ in
                readings += 1
                throw Enough()
            }
        }
        #expect(readings == 1)
    }

    // MARK: The circuit breaker

    private func control(probeTime: Duration = .seconds(60)) -> RetryControl {
        RetryControl(circuit: CircuitLimits(leastCount: 2, probeTime: probeTime), clock: clock)
    }

    @Test func `A host that is left alone is not asked`() async throws {
        executor.script(url.absoluteString, .reply(text: "file"))
        let (control, message) = (control(), RequestMessage(url: url))
        for _ in 0..<2 { control.end(try control.admit(message), with: .success(.badGateway)) }

        await #expect { try await heads(client(retries: control)) } throws: { error in
            if case BackendError.circuitOpen = error { true } else { false }
        }
        #expect(executor.requests.isEmpty)

        clock.advance(by: .seconds(2))
        #expect(try await heads(client(retries: control)) == ["200 file"])
    }

    @Test(arguments: [
        ScriptedExecutor.Answer.reply(status: .serviceUnavailable),
        .failure(BackendError.unreachable(URL(filePath: "/"), cause: CancellationError())),
    ])
    func `What fails is told to the breaker`(answer: ScriptedExecutor.Answer) async throws {
        executor.script(url.absoluteString, answer)
        let control = control()

        for _ in 0..<2 { _ = try? await heads(client(retries: control)) }

        #expect(throws: BackendError.self) { try control.admit(RequestMessage(url: url)) }
    }

    @Test func `A body that breaks off is told to the breaker, and one that nobody wanted is not`() async throws {
        struct Enough: Error {}
        executor.script(url.absoluteString, .broken(after: [[1]], BackendError.interrupted(url, cause: CancellationError())))
        let (control, message) = (control(), RequestMessage(url: url))

        for _ in 0..<2 {
            _ = try? await client(retries: control).exchange(message) { _, _, _ in throw Enough() }
        }
        #expect(throws: Never.self) { control.end(try control.admit(message), with: .success(.ok)) }

        for _ in 0..<4 { _ = try? await heads(client(retries: control)) }
        #expect(throws: BackendError.self) { try control.admit(message) }
    }

    @Test func `A body that goes on for long keeps nobody from the host`() async throws {
        executor.script(url.absoluteString, .chunks([[1], [2]]))
        let (control, message) = (control(), RequestMessage(url: url))
        for _ in 0..<2 { control.end(try control.admit(message), with: .success(.badGateway)) }
        clock.advance(by: .seconds(2))

        try await client(retries: control).exchange(message) { _, _, _ in
            #expect(throws: Never.self) { try control.admit(message) }
        }
    }
}

/// Asks for Esperanto, and notes what it is told.
private struct Telling: RequestInterceptor {
    let log: Log

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        var message = message
        message.headers[.acceptLanguage] = "eo"
        let reply = try await next(message)
        log.note("\(reply.status.code), \(reply.body.count) bytes")
        return reply
    }
}

private struct Answering: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        BackendReply(url: message.url, status: .noContent, body: Array("mine".utf8))
    }
}

private struct AskingTwice: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        _ = try await next(message)
        return try await next(message)
    }
}

private struct Insisting: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        do { return try await next(message) } catch { return try await next(message) }
    }
}

/// Makes a refusal of every reply, and breaks its body off.
private struct Refusing: BackendExecutor {
    let executor: ScriptedExecutor
    let error: any Error

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await executor.execute(message, timeLimit: timeLimit) { _, body in
            var chunks = body.makeAsyncIterator()
            return try await receive(
                ReplyHead(status: .notFound),
                ReplyBody {
                    guard let chunk = try await chunks.next() else { throw error }
                    return chunk
                })
        }
    }
}
