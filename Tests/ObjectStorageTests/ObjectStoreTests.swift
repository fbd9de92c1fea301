import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@testable import ObjectStorage

/// The client with scripted responses. Its delays before further attempts are zero.
@Suite("Object store", .timeLimit(.minutes(10)))
struct ObjectStoreTests {
    private static let base = "http://objects.example:9000/lading/p"
    private static let object = base + "/a"
    private static let list = "http://objects.example:9000/lading?list-type=2&max-keys=1&prefix=p%2F"
    private static let time = Date(timeIntervalSince1970: 1_369_353_600)
    private static let secrets = ["s3cr3t/key+", "t0k3n"]

    private let executor = ScriptedExecutor()

    private func store(
        _ address: String = "s3://lading/p?endpoint=http://objects.example:9000", limits: ObjectStoreLimits = ObjectStoreLimits(),
        clock: some Clock<Duration> = ContinuousClock()
    ) throws -> ObjectStore {
        let credentials = try ObjectStoreCredentials(
            environment: [
                "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": Self.secrets[0], "AWS_SESSION_TOKEN": Self.secrets[1],
            ])
        return ObjectStore(
            try ObjectStoreAddress(address), credentials: credentials, executor: executor, limits: limits, clock: clock,
            now: { Self.time }, random: { 0 })
    }

    private static func rejection(_ status: HTTPResponse.Status, _ code: String, _ elements: String = "", headers: HTTPFields = [:])
        -> ScriptedExecutor.Response
    {
        .response(status: status, headers: headers, text: "<?xml version=\"1.0\"?><Error><Code>\(code)</Code>\(elements)</Error>")
    }

    /// Returns the error of a read with a response.
    private func error(of response: ScriptedExecutor.Response) async throws -> ObjectStoreError? {
        executor.script(Self.object, response)
        return await #expect(throws: ObjectStoreError.self) { try await store().get("a") }
    }

    // MARK: Requests

    @Test func `A write sends the bytes with their type and digest, signed for the time of day`() async throws {
        executor.script(Self.object, .response())

        try await store().put(Array("Welcome to Amazon S3.".utf8), as: "a", contentType: "image/jpeg")

        let request = try #require(executor.requests.first)
        #expect(request.method == .put && request.body.bytes == Array("Welcome to Amazon S3.".utf8))
        #expect(request.headers[.contentType] == "image/jpeg")
        #expect(request.headers[.xAmzContentSHA256] == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        #expect(request.headers[.xAmzDate] == "20130524T000000Z" && request.headers[.xAmzSecurityToken] == Self.secrets[1])
        #expect(
            request.headers[.authorization]?.hasPrefix(
                """
                AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20130524/us-east-1/s3/aws4_request, \
                SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=
                """) == true)
    }

    @Test func `An object larger than the limit is refused before it is sent`() async throws {
        executor.script(Self.object, .response())
        var limits = ObjectStoreLimits()
        limits.objectSize = 3
        let store = try store(limits: limits)

        try await store.put([1, 2, 3], as: "a", contentType: "image/jpeg")
        await #expect(throws: ObjectStoreError.tooLarge(limit: 3)) {
            try await store.put([1, 2, 3, 4], as: "a", contentType: "image/jpeg")
        }

        #expect(executor.requests.count == 1)
    }

    @Test func `A read returns the bytes, or nil for an object that does not exist`() async throws {
        executor.script(Self.object, .response(body: [1, 2, 3]))
        executor.script(Self.base + "/b", Self.rejection(.notFound, "NoSuchKey"))

        #expect(try await store().get("a") == [1, 2, 3])
        #expect(try await store().get("b") == nil)
    }

    @Test func `A missing bucket and a response of another server are no missing objects`() async throws {
        let bucket = try await error(of: Self.rejection(.notFound, "NoSuchBucket"))
        let other = try await error(of: .response(status: .notFound, text: "<html>Not found</html>"))

        #expect(bucket?.description.contains("NoSuchBucket") == true)
        #expect(other?.description.contains("status 404") == true)
    }

    @Test func `A read of more bytes than the limit fails`() async throws {
        executor.script(Self.object, .chunks([[1, 2], [3]]))
        executor.script(
            Self.base + "/b", .response(headers: [.contentLength: "1000000"], body: [UInt8](repeating: 0, count: 1_000_000)))

        #expect(try await store().get("a", limit: 3) == [1, 2, 3])
        await #expect(throws: ObjectStoreError.tooLarge(limit: 2)) { try await store().get("a", limit: 2) }
        await #expect(throws: ObjectStoreError.tooLarge(limit: 999_999)) { try await store().get("b", limit: 999_999) }
    }

    @Test func `An error document longer than the limit of a read is read`() async throws {
        executor.script(Self.object, Self.rejection(.notFound, "NoSuchKey", "<Message>The specified key does not exist.</Message>"))

        #expect(try await store().get("a", limit: 1) == nil)
    }

    @Test func `A read of a range returns the part, which the end of the object may shorten`() async throws {
        executor.script(Self.object, .response(status: .partialContent, headers: [.contentRange: "bytes 4-6/7"], body: [4, 5, 6]))
        executor.script(Self.base + "/b", Self.rejection(.rangeNotSatisfiable, "InvalidRange"))
        executor.script(Self.base + "/c", Self.rejection(.notFound, "NoSuchKey"))

        #expect(try await store().get("a", range: 4..<9) == [4, 5, 6])
        #expect(try await store().get("b", range: 4..<9) == [])
        #expect(try await store().get("c", range: 4..<9) == nil)
        #expect(executor.requests.first?.headers[.range] == "bytes=4-8")
    }

    @Test(
        arguments: [
            .response(body: [0, 1, 2]), .response(body: [UInt8](repeating: 0, count: 1_000_000)),
            .response(status: .partialContent, body: [1, 2]),
            .response(status: .partialContent, headers: [.contentRange: "bytes 0-1/3"], body: [0, 1]),
            .response(status: .partialContent, headers: [.contentRange: "bytes 1-3/4"], body: [1, 2, 3]),
            .response(status: .partialContent, headers: [.contentRange: "bytes 1-2/4"], body: [1]),
        ] as [ScriptedExecutor.Response])
    func `Another part than the requested one is an error`(_ response: ScriptedExecutor.Response) async throws {
        executor.script(Self.object, response)

        await #expect(throws: ObjectStoreError.invalidResponse(host: "objects.example:9000")) { try await store().get("a", range: 1..<3) }
    }

    @Test func `The size and the type of an object are read without its bytes`() async throws {
        executor.script(Self.object, .response(headers: [.contentLength: "7", .contentType: "image/jpeg"]))
        executor.script(Self.base + "/b", .response())

        #expect(try await store().head("a") == ObjectInfo(size: 7, contentType: "image/jpeg"))
        await #expect(throws: ObjectStoreError.invalidResponse(host: "objects.example:9000")) { try await store().head("b") }
        #expect(try await store().head("c") == nil)
        #expect(executor.requests.first?.method == .head)
    }

    @Test func `A deletion succeeds also for an object that does not exist`() async throws {
        executor.script(Self.object, .response(status: .noContent))
        executor.script(Self.base + "/b", Self.rejection(.notFound, "NoSuchKey"))
        executor.script(Self.base + "/c", Self.rejection(.forbidden, "AccessDenied"))

        try await store().delete("a")
        try await store().delete("b")
        let error = await #expect(throws: ObjectStoreError.self) { try await store().delete("c") }

        #expect(error?.description.contains("allow s3:DeleteObject") == true)
        #expect(executor.requests.allSatisfy { $0.method == .delete })
    }

    @Test func `The check accepts the list of a bucket only`() async throws {
        executor.script(
            Self.list, .response(text: "<?xml version=\"1.0\"?><ListBucketResult><Name>lading</Name></ListBucketResult>"),
            .response(text: "<html>Welcome</html>"))

        try await store().check()
        await #expect(throws: ObjectStoreError.invalidResponse(host: "objects.example:9000")) { try await store().check() }
    }

    // MARK: Attempts

    @Test(
        arguments: [
            rejection(.serviceUnavailable, "SlowDown"), rejection(.internalServerError, "InternalError"),
            rejection(.badRequest, "RequestTimeout"),
            rejection(.tooManyRequests, "TooManyRequests"),
            .failure(BackendError.unreachable(URL(filePath: "/"), cause: CocoaError(.fileNoSuchFile))),
            .failure(BackendError.interrupted(URL(filePath: "/"), cause: CocoaError(.fileNoSuchFile))),
            .failure(BackendError.timedOut(URL(filePath: "/"), after: .seconds(1))),
        ] as [ScriptedExecutor.Response])
    func `A transient failure is followed by another attempt, signed again`(_ failure: ScriptedExecutor.Response) async throws {
        executor.script(Self.object, failure, failure, .response())

        try await store().put([1], as: "a", contentType: "image/jpeg")

        #expect(executor.requests.count == 3)
        #expect(executor.requests.allSatisfy { $0.headers[.authorization] != nil && $0.body.bytes == [1] })
    }

    @Test func `After the last attempt the failure is reported`() async throws {
        let error = try await error(of: Self.rejection(.serviceUnavailable, "SlowDown"))

        #expect(error?.description == "the object store has failed repeatedly (SlowDown): try again later")
        #expect(executor.requests.count == ObjectStoreLimits().attempts)
    }

    @Test(
        arguments: [
            rejection(.forbidden, "AccessDenied"), rejection(.forbidden, "SignatureDoesNotMatch"), rejection(.badRequest, "InvalidRequest"),
            rejection(.notImplemented, "NotImplemented"),
            .failure(BackendError.malformedResponse(URL(filePath: "/"), cause: CocoaError(.fileNoSuchFile))),
        ] as [ScriptedExecutor.Response])
    func `A failure that another attempt would repeat is reported at once`(_ failure: ScriptedExecutor.Response) async throws {
        _ = try await error(of: failure)

        #expect(executor.requests.count == 1)
    }

    @Test func `After many failures requests are paused`() async throws {
        executor.script(Self.object, Self.rejection(.serviceUnavailable, "SlowDown"))
        let store = try store(clock: ManualClock())
        var errors: [ObjectStoreError?] = []

        for _ in 0..<12 { errors.append(await #expect(throws: ObjectStoreError.self) { try await store.get("a") }) }

        #expect(errors.last == .paused(host: "objects.example:9000"))
        #expect(executor.requests.count == 10)
    }

    @Test func `A request to a silent store ends after its time limit`() async throws {
        let (clock, gate) = (ManualClock(), Gate())
        executor.script(Self.object, .response(), behind: gate)
        let store = try store(clock: clock)

        let read = Task { try await store.get("a", limit: 1) }
        await gate.waitForWaiters(count: 1)
        _ = await clock.nextTimer()
        clock.advance(by: .seconds(61))

        await #expect(throws: ObjectStoreError.timedOut(host: "objects.example:9000")) { try await read.value }
    }

    @Test func `A cancelled request throws the error of cancellation, and its exchange ends`() async throws {
        let gate = Gate()
        executor.script(Self.object, .response(), behind: gate)
        let store = try store()

        let task = Task { try await store.get("a") }
        await gate.waitForWaiters(count: 1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: Redirects

    @Test(
        arguments: [
            (rejection(.movedPermanently, "PermanentRedirect", "<Endpoint>lading.s3-eu-west-1.amazonaws.com</Endpoint>"), "eu-west-1"),
            (rejection(.movedPermanently, "PermanentRedirect", "<Endpoint>lading.s3.eu-west-1.amazonaws.com</Endpoint>"), "eu-west-1"),
            (
                rejection(.movedPermanently, "PermanentRedirect", headers: [HTTPField.Name("x-amz-bucket-region")!: "eu-west-1"]),
                "eu-west-1"
            ),
            (rejection(.badRequest, "AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>"), "eu-west-1"),
            (
                .response(status: .temporaryRedirect, headers: [.location: "https://lading.s3.eu-west-1.amazonaws.com/p/a?x"]), "eu-west-1"
            ),
            (.response(status: .badRequest, headers: [HTTPField.Name("x-amz-bucket-region")!: "eu-west-1"]), "eu-west-1"),
            (rejection(.badRequest, "IllegalLocationConstraintException"), nil), (.response(status: .movedPermanently), nil),
            (rejection(.badRequest, "AuthorizationHeaderMalformed", "<Region>&lt;b></Region>"), nil),
        ] as [(ScriptedExecutor.Response, String?)])
    func `A redirect to another region is an error that names the region`(_ response: ScriptedExecutor.Response, region: String?)
        async throws
    {
        #expect(try await error(of: response) == .wrongRegion(expected: region))
        #expect(executor.requests.count == 1)
    }

    @Test(
        arguments: [
            (.response(status: .movedPermanently, headers: [.location: "https://objects.example/lading/p/a"]), "objects.example"),
            (
                .response(status: .temporaryRedirect, headers: [.location: "http://lading.s3-gztb4pa9sq.amazonaws.com/p/a"]),
                "lading.s3-gztb4pa9sq.amazonaws.com"
            ),
            (rejection(.temporaryRedirect, "TemporaryRedirect", "<Endpoint>other.example</Endpoint>"), "other.example"),
        ] as [(ScriptedExecutor.Response, String)])
    func `Another redirect is not followed, and the error names its host`(_ response: ScriptedExecutor.Response, host: String) async throws
    {
        #expect(try await error(of: response) == .redirected(to: host))
        #expect(executor.requests.count == 1)
    }

    @Test func `The region in a response other than a redirect does not matter`() async throws {
        let name = try #require(HTTPField.Name("x-amz-bucket-region"))
        executor.script(Self.object, Self.rejection(.notFound, "NoSuchKey", headers: [name: "default"]))

        #expect(try await store().get("a") == nil)
        #expect(
            try await error(of: Self.rejection(.badRequest, "ExpiredToken", headers: [name: "default"]))?.description
                .contains("(ExpiredToken)") == true)
    }

    // MARK: Errors

    @Test func `A wrong clock is reported with its difference from that of the store`() async throws {
        let error = try await error(
            of: Self.rejection(.forbidden, "RequestTimeTooSkewed", headers: [.date: "Thu, 23 May 2013 23:30:00 GMT"]))

        #expect(error?.description.contains("is 30 min ahead of that of the object store") == true)
    }

    @Test func `No error contains a secret, even if the store repeats it`() async throws {
        let text = "<Message>Got \(Self.secrets.joined(separator: " ")) &#115;3cr3t/key+</Message>"
        let error = try await error(of: Self.rejection(.badRequest, "InvalidRequest", text))

        for secret in Self.secrets {
            #expect(error?.description.contains(secret) == false && "\(Array([error]))".contains(secret) == false)
        }
        #expect(error?.description.contains("Got REDACTED REDACTED REDACTED") == true)
    }
}
