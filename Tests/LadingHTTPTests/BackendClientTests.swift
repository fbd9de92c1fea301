import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@Suite struct BackendClientTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let client: BackendClient
    private let url = URL(string: "http://example.org/orders/list")!

    init() {
        client = BackendClient(executor: executor, clock: clock)
    }

    // MARK: Responses

    @Test func `A response is decoded`() async throws {
        executor.script(url.absoluteString, .response(text: "seven"))

        let value = try await client.value(of: BackendRequest(url: url) { String(decoding: $0.body, as: UTF8.self) })

        #expect(value == "seven")
    }

    @Test(arguments: [301, 400, 404, 500, 503]) func `A status other than 2xx is an error`(status: Int) async {
        executor.script(url.absoluteString, .response(status: .init(code: status)))

        await #expect { try await client.value(of: BackendRequest(url: url)) } throws: { error in
            if case BackendError.status(status, url, _) = error { true } else { false }
        }
    }

    @Test func `A decoding failure preserves its cause`() async {
        struct Unreadable: Error {}
        executor.script(url.absoluteString, .response(text: "?"))

        await #expect {
            try await client.value(of: BackendRequest<Int>(url: url) { _ in throw Unreadable() })
        } throws: { error in
            if case BackendError.decodingFailed(url, let cause) = error { cause is Unreadable } else { false }
        }
    }

    @Test func `A connection that is closed in the middle of the body throws interrupted`() async {
        struct Broken: Error {}
        let error = BackendError.interrupted(url, cause: Broken())
        executor.script(url.absoluteString, .truncated(after: [[1, 2, 3]], error))

        await #expect { try await client.response(to: RequestMessage(url: url)) } throws: { error in
            if case BackendError.interrupted = error { true } else { false }
        }
    }

    // MARK: Redirects

    @Test func `Absolute and relative redirects are followed`() async throws {
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: "../moved"]))
        executor.script("http://example.org/moved", .response(text: "here"))

        let response = try await client.response(to: RequestMessage(url: url))

        #expect(response.url.absoluteString == "http://example.org/moved")
        #expect(response.body == Array("here".utf8))
    }

    @Test func `A redirect loop ends at the redirect limit`() async {
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: url.absoluteString]))

        await #expect {
            try await client.response(to: RequestMessage(url: url), within: ResponseLimits(redirects: 3))
        } throws: { error in
            if case BackendError.tooManyRedirects(_, limit: 3) = error { true } else { false }
        }
        #expect(executor.requests.count == 4)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://example.org/x", "javascript:alert(1)", "http:///nowhere"])
    func `A URL that is neither http nor https is a policy violation, also after a redirect`(target: String) async {
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: target]))

        await #expect { try await client.response(to: RequestMessage(url: url)) } throws: { error in
            if case BackendError.policyViolation = error { true } else { false }
        }
        #expect(executor.requests.count == 1)
    }

    @Test func `Credential fields are removed on a redirect to another host`() async throws {
        executor.script(url.absoluteString, .response(status: .temporaryRedirect, headers: [.location: "../near"]))
        executor.script("http://example.org/near", .response(status: .temporaryRedirect, headers: [.location: "http://other.org/x"]))
        var headers: HTTPFields = [.accept: "a/b"]
        for name in SecretRedaction.standard.fields { headers[name] = "secret" }

        _ = try await client.response(to: RequestMessage(url: url, headers: headers))

        let count = SecretRedaction.standard.fields.count
        #expect(executor.requests.map { $0.headers.count } == [count + 1, count + 1, 1])
    }

    @Test func `The Authorization field is removed on a redirect to another host`() async throws {
        executor.script(url.absoluteString, .response(status: .temporaryRedirect, headers: [.location: "http://other.org/x"]))
        executor.script("http://other.org/x", .response(text: "x"))

        _ = try await client.response(to: RequestMessage(url: url, headers: [.authorization: "Bearer secret", .accept: "a/b"]))

        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer secret", nil])
        #expect(executor.requests.map { $0.headers[.accept] } == ["a/b", "a/b"])
    }

    @Test(arguments: [
        ("http://bücher.example/a", "http://xn--bcher-kva.example/b", true), ("http://bücher.example/a", "/b", true),
        ("http://[2606:4700::a]:8080/a", "http://[2606:4700::A]:8080/b", true),
        ("http://[2606:4700::a]:8080/a", "http://[2606:4700::a:8080]/b", false),
        ("http://example.org:8080/a", "http://example.org%3A8080/b", false),
    ])
    func `The Authorization field is preserved on a redirect to another notation of the host only`(from: String, to: String, isSame: Bool)
        async throws
    {
        let url = try #require(URL(string: from))
        executor.script(url.absoluteString, .response(status: .temporaryRedirect, headers: [.location: to]))

        _ = try await client.response(to: RequestMessage(url: url, headers: [.authorization: "Bearer secret"]))

        #expect(executor.requests.map { $0.headers[.authorization] } == ["Bearer secret", isSame ? "Bearer secret" : nil])
    }

    @Test func `A 303 is followed with GET and without the body`() async throws {
        executor.script(url.absoluteString, .response(status: .seeOther, headers: [.location: "/done"]))
        executor.script("http://example.org/done", .response(text: "done"))

        _ = try await client.response(to: RequestMessage(method: .post, url: url, body: [1]))

        #expect(executor.requests.map(\.method) == [.post, .get])
        #expect(executor.requests.last?.body.isEmpty == true)
    }

    // MARK: Limits

    @Test func `A body of the limit's length is received, and a longer one fails`() async throws {
        executor.script(
            url.absoluteString, .response(body: Array(repeating: 7, count: 10)), .response(body: Array(repeating: 7, count: 11)))
        let limits = ResponseLimits(bodySize: 10)

        let response = try await client.response(to: RequestMessage(url: url), within: limits)

        #expect(response.body.count == 10)
        await #expect { try await client.response(to: RequestMessage(url: url), within: limits) } throws: { error in
            if case BackendError.bodyTooLarge(_, limit: 10) = error { true } else { false }
        }
    }

    @Test func `A body whose announced length exceeds the limit fails before it is read`() async {
        executor.script(
            url.absoluteString, .response(headers: [.contentLength: "9000000000"], body: Array(repeating: 7, count: 5)))

        await #expect { try await client.response(to: RequestMessage(url: url)) } throws: { error in
            if case BackendError.bodyTooLarge = error { true } else { false }
        }
    }

    @Test(arguments: ["-5", "many", ""]) func `An invalid Content-Length is ignored`(length: String) async throws {
        executor.script(url.absoluteString, .response(headers: [.contentLength: length], text: "body"))

        let response = try await client.response(to: RequestMessage(url: url))

        #expect(response.body == Array("body".utf8))
    }

    @Test func `The body of a content coding may be longer or shorter than its Content-Length`() async throws {
        executor.script(
            url.absoluteString, .response(headers: [.contentLength: "9000000000", .contentEncoding: "gzip"], text: "undone"))

        let response = try await client.response(to: RequestMessage(url: url))

        #expect(response.body == Array("undone".utf8))
    }

    @Test func `The Content-Length of a response to HEAD is not checked against the body`() async throws {
        executor.script(url.absoluteString, .response(headers: [.contentLength: "9000000000"]))

        let response = try await client.response(to: RequestMessage(method: .head, url: url))

        #expect(response.headers[.contentLength] == "9000000000")
    }

    @Test(arguments: [204, 304])
    func `The Content-Length of a status without a body is not checked against the limit`(status: Int) async throws {
        executor.script(url.absoluteString, .response(status: .init(code: status), headers: [.contentLength: "9000000000"]))

        let response = try await client.response(to: RequestMessage(url: url))

        #expect(response.status.code == status && response.body == [])
    }

    @Test func `An exchange that exceeds its time limit throws timedOut`() async throws {
        let gate = Gate()
        executor.script(url.absoluteString, .response(text: "late"), behind: gate)
        let exchange = Task {
            try await client.response(to: RequestMessage(url: url), within: ResponseLimits(time: .seconds(5)))
        }
        await gate.waitForWaiters(count: 1)

        clock.advance(by: .seconds(6))
        gate.open()

        await #expect { try await exchange.value } throws: { error in
            if case BackendError.timedOut(_, after: .seconds(5)) = error { true } else { false }
        }
    }

    @Test func `A timeout names the limit that expired: the executor's, or that of the exchange`() async throws {
        let limits = ResponseLimits(time: .seconds(30))
        executor.script("http://a.org/silent", .failure(BackendError.timedOut(url, after: .seconds(10))))
        let policy = BackendClient(executor: SlowExecutor(), clock: clock)

        await #expect { try await client.response(to: message("http://a.org/silent"), within: limits) } throws: { error in
            if case BackendError.timedOut(_, after: .seconds(10)) = error { true } else { false }
        }
        await #expect { try await policy.response(to: message("http://a.org/slow"), within: limits) } throws: { error in
            if case BackendError.timedOut(_, after: .seconds(30)) = error { true } else { false }
        }
    }

    // MARK: Progress

    @Test func `Progress is reported with every chunk, with a total when the length is known`() async throws {
        let cases: [(HTTPFields, [Progress])] = [
            ([.contentLength: "5"], [Progress(0, 5), Progress(3, 5), Progress(5, 5)]),
            ([:], [Progress(0, nil), Progress(3, nil), Progress(5, nil)]),
            ([.contentLength: "5", .contentEncoding: "gzip"], [Progress(0, nil), Progress(3, nil), Progress(5, nil)]),
            ([.contentLength: "5", .contentEncoding: "identity"], [Progress(0, 5), Progress(3, 5), Progress(5, 5)]),
        ]
        for (headers, expected) in cases {
            executor.script(url.absoluteString, .chunks([[1, 2, 3], [4, 5]], headers: headers))
            let reported = Mutex<[Progress]>([])
            let progress = OperationProgress { snapshot in
                reported.withLock { $0.append(Progress(snapshot.completed, snapshot.total)) }
            }

            _ = try await client.value(of: BackendRequest(url: url), progress: progress)

            #expect(reported.withLock { $0 } == expected)
        }
    }

    @Test func `Progress of an exchange counts bytes, its total begins with the response, and it ends with the exchange`() async throws {
        executor.script(url.absoluteString, .response(headers: [.contentLength: "3"], body: [1, 2, 3]))
        let reported = Mutex<[OperationProgress.Snapshot]>([])
        let progress = OperationProgress { snapshot in reported.withLock { $0.append(snapshot) } }
        let upload = OperationProgress()

        let message = RequestMessage(method: .put, url: url, body: [1, 2])
        _ = try await client.response(to: message, progress: progress, uploadProgress: upload)

        #expect(reported.withLock { $0.map(\.completed) } == [0, 2, 2, 5])
        #expect(reported.withLock { $0.map(\.total) } == [nil, nil, 5, 5] && progress.snapshot.unit == .bytes)
        for await _ in progress.updates(every: .zero, clock: clock) {}
        for await _ in upload.updates(every: .zero, clock: clock) {}
        #expect(upload.snapshot == .init(completed: 2, total: 2))
    }

    @Test func `Progress of a failed exchange ends without completing`() async throws {
        executor.script(url.absoluteString, .truncated(after: [[1, 2, 3]], BackendError.interrupted(url, cause: CancellationError())))
        let progress = OperationProgress()

        await #expect(throws: BackendError.self) { try await client.data(from: url, progress: progress) }

        for await _ in progress.updates(every: .zero, clock: clock) {}
        #expect(progress.snapshot.completed == 3 && progress.snapshot.fraction != 1)
    }

    @Test func `An operation may report several exchanges to its own progress, which ends with the operation`() async throws {
        executor.script(url.absoluteString, .response(text: "x"), .response(text: "y"))
        let operation = BackendOperation("twice", lane: .cpu) { [client, url] in
            for _ in 0..<2 { _ = try await client.data(from: url, progress: .current) }
            OperationProgress.current?.report(completed: 7, total: nil, unit: ProgressUnit("rows"))
        }
        let updates = operation.progress.updates(every: .zero, clock: clock)

        try await BackendQueue().value(of: operation)

        var last: OperationProgress.Snapshot?
        for await update in updates { last = update }
        #expect(last?.completed == 7 && last?.total == 7 && last?.unit.name == "rows")
    }

    @Test(arguments: [(20_000, "read"), (100_000, "cancelled")])
    func `A cancelled transfer is completed when few bytes remain`(length: Int, end: String) async throws {
        let executor = InterruptedBodyExecutor(length: length)
        let queue = BackendQueue()
        let operation = BackendClient(executor: executor, clock: ManualClock()).operation(BackendRequest(url: url))
        queue.submit(operation, priority: .visible)
        await executor.halfway.waitForWaiters(count: 1)

        operation.cancel()
        executor.halfway.open()

        var ends = executor.ends.makeAsyncIterator()
        #expect(await ends.next() == end)
    }

    // MARK: Operations

    @Test func `Equal safe requests share one exchange, and unsafe requests never do`() async throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        self.executor.script(url.absoluteString, .response(text: "x"))

        for method in [HTTPRequest.Method.get, .get, .head, .post, .post] {
            let request = BackendRequest(RequestMessage(method: method, url: url)) { $0 }
            queue.submit(client.operation(request), priority: .visible)
        }
        queue.submit(client.operation(BackendRequest(url: url, headers: [.accept: "a/b"])), priority: .visible)
        queue.submit(client.operation(BackendRequest(url: url), partition: "somebody"), priority: .visible)
        executor.runAll()

        #expect(self.executor.requests.map(\.method.rawValue).sorted() == ["GET", "GET", "GET", "HEAD", "POST", "POST"])
    }

    @Test func `A request is queued in the lane of its host`() {
        let addresses = [
            "http://a.org/x", "http://A.org:80/y", "https://a.org/x", "https://a.org:443/x", "https://a.org:80/x", "http://a.org:443/x",
            "https://a.org:8443/x", "http://[::1]:81/x", "http://bücher.example/x",
        ]
        let lanes = addresses.map { client.operation(BackendRequest(url: URL(string: $0)!)).lane.name }

        #expect(Set(lanes[0..<4]) == ["net:a.org"])
        #expect(lanes[4...] == ["net:a.org:80", "net:a.org:443", "net:a.org:8443", "net:[::1]:81", "net:xn--bcher-kva.example"])
    }
}

private struct Progress: Equatable {
    var received: Int
    var expected: Int?

    init(_ received: Int, _ expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

/// An executor that times out after its time limit.
private struct SlowExecutor: BackendExecutor {
    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        throw BackendError.timedOut(message.url, after: timeLimit)
    }
}

/// An executor that sends 10,000 bytes of a body, and the rest once a gate opens; it reports the result.
private struct InterruptedBodyExecutor: BackendExecutor {
    let length: Int
    let halfway = Gate()
    let ends: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation

    init(length: Int) {
        self.length = length
        (ends, report) = AsyncStream.makeStream()
    }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        var sent = 0
        let body = ResponseBody {
            if sent > 0 { try await halfway.wait() }
            let count = sent == 0 ? 10_000 : length - sent
            sent += count
            return count > 0 ? [UInt8](repeating: 0, count: count) : nil
        }
        do {
            let outcome = try await receive(ResponseHead(status: .ok, headers: [.contentLength: "\(length)"]), body)
            report.yield("read")
            return outcome
        } catch {
            report.yield(error is CancellationError ? "cancelled" : "\(error)")
            throw error
        }
    }
}

private func message(_ address: String) -> RequestMessage { RequestMessage(url: URL(string: address)!) }
