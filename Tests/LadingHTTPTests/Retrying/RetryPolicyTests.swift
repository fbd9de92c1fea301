import Foundation
import HTTPFieldValues
import HTTPTypes
import Testing

@testable import LadingHTTP

@Suite struct RetryPolicyTests {
    private static let url = URL(string: "http://example.org/orders/list")!
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private let policy = RetryPolicy(attempts: 4, base: .seconds(1), cap: .seconds(5), retryAfterLimit: .seconds(60))

    private func delay(
        after error: any Error, attempt: Int = 1, _ message: RequestMessage = RequestMessage(url: url), jitter: Double = 0.5
    ) -> Duration? {
        policy.delay(after: error, attempt: attempt, for: message, now: Self.now, jitter: jitter)
    }

    private func delay(afterStatus status: Int, _ headers: HTTPFields = [:], jitter: Double = 0) -> Duration? {
        delay(after: BackendError.status(status, Self.url, headers: headers), jitter: jitter)
    }

    // MARK: Retried failures

    @Test func `Transient failures are retried, and others are not`() {
        struct Cause: Error {}
        let url = Self.url
        let cases: [(any Error, Bool)] = [
            (BackendError.unreachable(url, cause: Cause()), true),
            (BackendError.timedOut(url, after: .seconds(10)), true),
            (BackendError.interrupted(url, cause: Cause()), true),
            (BackendError.malformedResponse(url, cause: Cause()), false),
            (BackendError.bodyTooLarge(url, limit: 1), false),
            (BackendError.bufferLimitExceeded(url, limit: 1), false),
            (BackendError.tooManyRedirects(url, limit: 1), false),
            (BackendError.policyViolation(url, .privateAddress), false),
            (BackendError.decodingFailed(url, cause: Cause()), false),
            (BackendError.circuitOpen(url, retryAfter: .seconds(1)), false),
            (CancellationError(), false),
            (Cause(), false),
        ]

        for (error, isWorthIt) in cases {
            #expect(delay(after: error) == (isWorthIt ? .milliseconds(500) : nil), "\(error)")
        }
    }

    @Test func `A failed token request is retried if its cause is transient`() {
        struct Cause: Error {}
        let tokenServer = URL(string: "http://tokens.example.org/")!
        let cases: [(any Error, Duration?)] = [
            (BackendError.unreachable(tokenServer, cause: Cause()), .milliseconds(500)),
            (BackendError.status(503, tokenServer, headers: [.retryAfter: "7"]), .milliseconds(7_500)),
            (BackendError.status(400, tokenServer), nil),
            (BackendError.circuitOpen(tokenServer, retryAfter: .seconds(1)), nil),
            (Cause(), nil),
        ]

        for (cause, wait) in cases { #expect(delay(after: BearerTokenInterceptor.Failure(cause: cause)) == wait, "\(cause)") }
    }

    @Test func `Only transient statuses are retried`() {
        let retried = (300..<600).filter { delay(afterStatus: $0) != nil }

        #expect(retried == [408, 425, 429, 500, 502, 503, 504])
    }

    @Test func `Only idempotent requests are retried`() {
        let failure = BackendError.status(503, Self.url)
        let methods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete, .post, .patch, .connect]

        let repeated = methods.filter { delay(after: failure, RequestMessage(method: $0, url: Self.url)) != nil }
        let keyed = RequestMessage(method: .post, url: Self.url, headers: [.idempotencyKey: "8e03978e-40d5-43dd-bc93-6894a57f9324"])

        #expect(repeated == [.get, .head, .options, .trace, .put, .delete])
        #expect(delay(after: failure, keyed) != nil)
    }

    // MARK: Delays

    @Test func `The delay doubles up to the cap, until the last attempt`() {
        let failure = BackendError.status(500, Self.url)

        #expect((1...5).map { delay(after: failure, attempt: $0, jitter: 0.5) } == [.seconds(0.5), .seconds(1), .seconds(2), nil, nil])
        #expect((1...4).map { delay(after: failure, attempt: $0, jitter: 0) } == [.zero, .zero, .zero, nil])
    }

    @Test(arguments: [RetryPolicy(base: .zero), RetryPolicy(cap: .zero)])
    func `A policy whose base or cap is zero retries at once`(policy: RetryPolicy) {
        #expect(
            policy.delay(
                after: BackendError.status(500, Self.url), attempt: 3, for: RequestMessage(url: Self.url), now: Self.now, jitter: 0.5)
                == .zero)
    }

    @Test func `A policy of one attempt retries nothing`() {
        let policy = RetryPolicy(attempts: 1)

        #expect(
            policy.delay(
                after: BackendError.status(500, Self.url), attempt: 1, for: RequestMessage(url: Self.url), now: Self.now, jitter: 0) == nil)
    }

    @Test(arguments: [
        ("0", Duration.zero), ("7", .seconds(7)), (" 7 ", .seconds(7)), ("60", .seconds(60)),
        ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)), ("Sunday, 06-Nov-94 08:50:07 GMT", .seconds(30)),
        ("Sun Nov  6 08:50:07 1994", .seconds(30)), ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
        ("soon", .zero), ("-5", .zero), ("", .zero), ("1.5", .zero),
    ])
    func `Retry-After is added to the delay`(text: String, pause: Duration) {
        #expect(delay(afterStatus: 503, [.retryAfter: text]) == pause)
        #expect(delay(afterStatus: 429, [.retryAfter: text], jitter: 0.5) == pause + .milliseconds(500))
    }

    @Test(arguments: ["61", "86400", "99999999999999999999999", "Mon, 07 Nov 1994 08:49:37 GMT"])
    func `A Retry-After above the limit ends the retries`(text: String) {
        #expect(delay(afterStatus: 503, [.retryAfter: text]) == nil)
    }

    @Test func `A Retry-After date is relative to the Date of the server`() {
        let slow: HTTPFields = [.retryAfter: "Sun, 06 Nov 1994 09:00:10 GMT", .date: "Sun, 06 Nov 1994 09:00:00 GMT"]
        let fast: HTTPFields = [.retryAfter: "Sunday, 06-Nov-94 08:00:10 GMT", .date: "Sunday, 06-Nov-94 08:00:00 GMT"]
        let wrong: HTTPFields = [.retryAfter: "Sun, 06 Nov 1994 08:50:07 GMT", .date: "now"]

        #expect(delay(afterStatus: 503, slow) == .seconds(10))
        #expect(delay(afterStatus: 503, fast) == .seconds(10))
        #expect(delay(afterStatus: 503, wrong) == .seconds(30))
    }

    // MARK: Descriptions

    @Test(
        arguments: [
            ([:], "the server responded with 503: /orders/list"),
            ([.retryAfter: "0"], "the server responded with 503: /orders/list"),
            ([.retryAfter: "7200"], "the server responded with 503 (retry after 2 hrs): /orders/list"),
            (
                [.retryAfter: "Sun, 06 Nov 1994 09:00:10 GMT", .date: "Sun, 06 Nov 1994 09:00:00 GMT"],
                "the server responded with 503 (retry after 10 secs): /orders/list"
            ),
            ([.retryAfter: "Sun, 06 Nov 1994 09:00:10 GMT"], "the server responded with 503: /orders/list"),
        ] as [(HTTPFields, String)])
    func `The description of an error contains the Retry-After`(headers: HTTPFields, text: String) {
        #expect(BackendError.status(503, Self.url, headers: headers).description == text)
    }
}
