import Foundation
import Testing

@testable import LadingHTTP

@Suite struct DatabaseListenerStateMachineTests {
    private struct TestError: Error {}

    private func configuration(canRefreshToken: Bool = true, attempts: Int = 3, jitter: Double = 1)
        -> DatabaseListenerStateMachine.Configuration
    {
        DatabaseListenerStateMachine.Configuration(
            retryPolicy: TransferRetryPolicy(attempts: attempts, base: .seconds(1), cap: .seconds(8)), canRefreshToken: canRefreshToken,
            jitter: { jitter })
    }

    private func open(_ rules: DatabaseListenerStateMachine.Configuration) -> DatabaseListenerStateMachine {
        var listening = DatabaseListenerStateMachine(.root, rules)
        #expect(handle(&listening, .begin) == ["open after 0"])
        return listening
    }

    /// Handles an event and returns descriptions of its effects.
    private func handle(_ listening: inout DatabaseListenerStateMachine, _ event: DatabaseListenerStateMachine.Event) -> [String] {
        var effects: [DatabaseListenerStateMachine.Effect] = []
        listening.handle(event, effects: &effects)
        return effects.map { effect in
            switch effect {
            case .open(let delay, let isRenewing):
                "open after \(delay / .seconds(1) as Double)".replacing(".0", with: "") + (isRenewing ? " anew" : "")
            case .deliver(.put): "put"
            case .deliver(.patch): "patch"
            case .deliver(.keepAlive): "alive"
            case .deliver(.interrupted): "interrupted"
            case .fail(RealtimeDatabase.Failure.cancelled): "cancelled"
            case .fail(RealtimeDatabase.Failure.authenticationRevoked(let reason)): "revoked: \(reason)"
            case .fail: "failed"
            }
        }
    }

    private let put = DatabaseListenerStateMachine.Event.signal(.event(.put([], 1)))
    private let patch = DatabaseListenerStateMachine.Event.signal(.event(.patch([], [:])))
    private let keepAlive = DatabaseListenerStateMachine.Event.signal(.event(.keepAlive))
    private let failed = DatabaseListenerStateMachine.Event.failed(.transient(TestError()))
    private let revoked = DatabaseListenerStateMachine.Event.signal(.authRevoked("expired"))

    @Test func `Known events are delivered and unknown ones are ignored`() {
        var listening = open(configuration())

        #expect(handle(&listening, put) == ["put"])
        #expect(handle(&listening, patch) == ["patch"])
        #expect(handle(&listening, keepAlive) == ["alive"])
        #expect(handle(&listening, .signal(.other)) == [])
    }

    @Test func `A broken stream is reopened with growing delays until the attempts are exhausted`() {
        var listening = open(configuration())
        _ = handle(&listening, put)

        #expect(handle(&listening, failed) == ["interrupted", "open after 1"])
        #expect(handle(&listening, failed) == ["open after 2"])
        #expect(handle(&listening, failed) == ["failed"])
        #expect(handle(&listening, failed) == [] && handle(&listening, put) == [])
    }

    @Test func `A put resets the count of failures, a keep-alive does not`() {
        var listening = open(configuration())

        _ = handle(&listening, failed)
        _ = handle(&listening, failed)
        _ = handle(&listening, put)
        #expect(handle(&listening, failed) == ["interrupted", "open after 1"])
        _ = handle(&listening, keepAlive)
        #expect(handle(&listening, failed) == ["open after 2"])
    }

    @Test func `A delay requested by the server is respected`() {
        var listening = open(configuration(jitter: 0))

        #expect(handle(&listening, .failed(.transient(TestError(), retryAfter: .seconds(5)))) == ["interrupted", "open after 5"])
    }

    @Test func `A permanent failure ends the stream`() {
        var listening = open(configuration())

        #expect(handle(&listening, .failed(.permanent(TestError()))) == ["failed"])
    }

    @Test func `A cancel event ends the stream`() {
        var listening = open(configuration())

        #expect(handle(&listening, .signal(.cancel)) == ["cancelled"])
        #expect(handle(&listening, put) == [])
    }

    @Test func `A rejected token is refreshed at once, but not twice in a row`() {
        var listening = open(configuration())
        _ = handle(&listening, put)

        #expect(handle(&listening, revoked) == ["interrupted", "open after 0 anew"])
        #expect(handle(&listening, put) == ["put"])
        #expect(handle(&listening, .tokenRejected("no")) == ["interrupted", "open after 0 anew"])
        #expect(handle(&listening, .tokenRejected("no again")) == ["revoked: no again"])
    }

    @Test func `A rejected token ends the stream when it cannot be refreshed`() {
        var listening = open(configuration(canRefreshToken: false))

        #expect(handle(&listening, revoked) == ["revoked: expired"])
    }
}
