import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingOperations
import LadingTesting
import ScriptedServers
import Synchronization
import Testing
@testable import LadingHTTP

/// Tests of retried requests, from the operation to the executor.
@Suite struct RetriedOperationTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let url = URL(string: "http://example.org/orders/list")!

    private func client(_ policy: RetryPolicy = RetryPolicy(base: .seconds(1)), over executor: (any BackendExecutor)? = nil)
        -> BackendClient
    {
        let control = RetryControl(policy: policy, clock: clock, now: { Date(timeIntervalSince1970: 0) }, jitter: { 0.5 })
        return BackendClient(executor: executor ?? self.executor, clock: clock, retries: control)
    }

    private func queue(width: Int = 4) -> BackendQueue {
        BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: width)), clock: clock)
    }

    /// Waits for the next timer, advances the clock to it, and returns the duration.
    private func advanceToNextTimer() async -> Duration {
        let start = clock.now
        let wait = await start.duration(to: clock.nextTimer())
        clock.advance(by: wait)
        return wait
    }

    @Test func `A failed request is retried after delays that double`() async throws {
        executor.script(url.absoluteString, .response(status: 500), .response(status: 502), .response(status: 503), .response(text: "well"))
        let queue = queue()
        let operation = client().operation(BackendRequest(url: url))

        queue.submit(operation, priority: .visible)
        let waits = [await advanceToNextTimer(), await advanceToNextTimer(), await advanceToNextTimer()]

        #expect(try await operation.value.body == Array("well".utf8))
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(executor.requests.count == 4)
    }

    @Test func `The operation fails with the last error`() async throws {
        executor.script(url.absoluteString, .response(status: 500), .response(status: 503))
        let operation = client(RetryPolicy(attempts: 2, base: .seconds(1))).operation(BackendRequest(url: url))

        queue().submit(operation, priority: .visible)
        _ = await advanceToNextTimer()

        await #expect { try await operation.value } throws: { error in
            if case BackendError.status(503, url, _) = error { true } else { false }
        }
        #expect(executor.requests.count == 2)
    }

    @Test func `Retry-After is honoured, and one above the limit fails with the server's status`() async throws {
        executor.script(
            url.absoluteString, .response(status: 503, headers: [.retryAfter: "20"]), .response(status: 503, headers: [.retryAfter: "7200"])
        )
        let operation = client().operation(BackendRequest(url: url))

        queue().submit(operation, priority: .visible)
        #expect(await advanceToNextTimer() == .seconds(20.5))

        await #expect { try await operation.value } throws: { error in
            "\(error)" == "the server responded with 503 (retry after 2 hrs): /orders/list"
        }
    }

    @Test func `An operation that waits for a retry holds no slot`() async throws {
        executor.script(url.absoluteString, .response(status: 500), .response(text: "late"))
        executor.script("http://example.org/other", .response(text: "at once"))
        let (queue, client) = (queue(width: 1), client())
        let waiting = client.operation(BackendRequest(url: url))
        queue.submit(waiting, priority: .visible)
        let timer = await clock.nextTimer()

        let other = client.operation(BackendRequest(url: try #require(URL(string: "http://example.org/other"))))
        #expect(try await queue.value(of: other, priority: .background).body == Array("at once".utf8))
        #expect(waiting.result == nil)

        clock.advance(by: clock.now.duration(to: timer))
        #expect(try await waiting.value.body == Array("late".utf8))
    }

    @Test func `A request that is not idempotent is retried only with an idempotency key`() async throws {
        executor.script(url.absoluteString, .response(status: 503), .response(status: 503), .response(text: "well"))
        let (queue, client) = (queue(), client())
        let plain = client.operation(BackendRequest(RequestMessage(method: .post, url: url, body: [1])) { $0 })
        let keyed = client.operation(
            BackendRequest(RequestMessage(method: .post, url: url, headers: [.idempotencyKey: "7"], body: [2])) { $0 })

        await #expect(throws: BackendError.self) { try await queue.value(of: plain, priority: .visible) }
        #expect(executor.requests.count == 1)

        queue.submit(keyed, priority: .visible)
        _ = await advanceToNextTimer()
        #expect(try await keyed.value.body == Array("well".utf8))
        #expect(executor.requests.map(\.body.bytes) == [[1], [2], [2]])
    }

    @Test func `A request to a host with an open circuit fails at once`() async throws {
        executor.script(url.absoluteString, .response(status: 404))
        let control = RetryControl(circuit: CircuitLimits(minimumOutcomes: 1), clock: clock)
        let client = BackendClient(executor: executor, clock: clock, retries: control)
        control.end(try control.admit(RequestMessage(url: url)), with: .success(.internalServerError))

        await #expect {
            try await queue().value(of: client.operation(BackendRequest(url: url)), priority: .visible)
        } throws: { error in
            if case BackendError.circuitOpen(url, retryAfter: .seconds(2)) = error { true } else { false }
        }
        #expect(executor.requests.isEmpty)
    }

    @Test func `Without a retry control nothing is retried`() async throws {
        executor.script(url.absoluteString, .response(status: 503))
        let client = BackendClient(executor: executor, clock: clock)

        await #expect(throws: BackendError.self) {
            try await queue().value(of: client.operation(BackendRequest(url: url)), priority: .visible)
        }
        #expect(executor.requests.count == 1)
    }
}

extension URLSessionTests {
    /// Tests of retries over a socket.
    @Suite struct RetriedExchange {
        private let clock = ManualClock()

        /// Returns a server that responds with 503 to the first request of each method.
        private func server() throws -> ScriptedServer {
            let methods = Mutex<Set<String>>([])
            return try ScriptedServer { request in
                methods.withLock { $0.insert(request.method).inserted }
                    ? [.send("HTTP/1.1 503 Not Yet\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")]
                    : [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell")]
            }
        }

        private func client() -> BackendClient {
            let control = RetryControl(clock: clock, now: { Date(timeIntervalSince1970: 0) }, jitter: { 0 })
            return BackendClient(executor: URLSessionExecutor(), retries: control)
        }

        @Test func `A request is repeated after the Retry-After of the server`() async throws {
            let server = try server()
            defer { server.stop() }
            let operation = client().operation(BackendRequest(url: server.url()))
            let start = clock.now

            BackendQueue(clock: clock).submit(operation, priority: .visible)
            #expect(await start.duration(to: clock.nextTimer()) == .seconds(1))
            #expect(server.log.requests.count == 1)
            clock.advance(by: .seconds(1))

            #expect(try await operation.value.body == Array("well".utf8))
            #expect(server.log.requests.count == 2)
        }

        @Test func `A POST is not retried`() async throws {
            let server = try server()
            defer { server.stop() }
            let message = RequestMessage(method: .post, url: server.url(), body: .bytes("order".utf8))

            await #expect {
                try await BackendQueue(clock: clock).value(of: client().operation(BackendRequest(message) { $0 }), priority: .visible)
            } throws: { error in
                if case BackendError.status(503, _, _) = error { true } else { false }
            }
            #expect(server.log.requests.map(\.method) == ["POST"])
        }
    }
}
