import Foundation
import Testing
@testable import LadingFirebase
@testable import LadingHTTP
@testable import LadingTransfers

@Suite struct DatabaseListenerStateMachineTests {
    private struct TestError: Error {}

    private func configuration(canRefreshToken: Bool = true, attempts: Int = 3, jitter: Double = 1)
        -> DatabaseListenerStateMachine.Configuration
    {
        DatabaseListenerStateMachine.Configuration(
            retryPolicy: TransferRetryPolicy(attempts: attempts, base: .seconds(1), cap: .seconds(8)), canRefreshToken: canRefreshToken,
            jitter: { jitter })
    }

    private func open(_ configuration: DatabaseListenerStateMachine.Configuration) -> DatabaseListenerStateMachine {
        var stateMachine = DatabaseListenerStateMachine(.root, configuration)
        #expect(handle(&stateMachine, .begin) == ["open after 0"])
        return stateMachine
    }

    /// Handles an event and returns descriptions of its effects.
    private func handle(_ stateMachine: inout DatabaseListenerStateMachine, _ event: DatabaseListenerStateMachine.Event) -> [String] {
        var effects: [DatabaseListenerStateMachine.Effect] = []
        stateMachine.handle(event, effects: &effects)
        return effects.map { effect in
            switch effect {
            case .open(let delay, let refreshesToken):
                "open after \(delay / .seconds(1) as Double)".replacing(".0", with: "") + (refreshesToken ? " with a new token" : "")
            case .deliver(.put): "put"
            case .deliver(.patch): "patch"
            case .deliver(.keepAlive): "alive"
            case .deliver(.interrupted): "interrupted"
            case .fail(RealtimeDatabase.Failure.cancelled(_, let reason)): "cancelled: \(reason ?? "-")"
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
        var stateMachine = open(configuration())

        #expect(handle(&stateMachine, put) == ["put"])
        #expect(handle(&stateMachine, patch) == ["patch"])
        #expect(handle(&stateMachine, keepAlive) == ["alive"])
        #expect(handle(&stateMachine, .signal(.other)) == [])
    }

    @Test func `A broken stream is reopened with growing delays until the attempts are exhausted`() {
        var stateMachine = open(configuration())
        _ = handle(&stateMachine, put)

        #expect(handle(&stateMachine, failed) == ["interrupted", "open after 1"])
        #expect(handle(&stateMachine, failed) == ["open after 2"])
        #expect(handle(&stateMachine, failed) == ["failed"])
        #expect(handle(&stateMachine, failed) == [] && handle(&stateMachine, put) == [])
    }

    @Test func `A put resets the count of failures, a keep-alive does not`() {
        var stateMachine = open(configuration())

        _ = handle(&stateMachine, failed)
        _ = handle(&stateMachine, failed)
        _ = handle(&stateMachine, put)
        #expect(handle(&stateMachine, failed) == ["interrupted", "open after 1"])
        _ = handle(&stateMachine, keepAlive)
        #expect(handle(&stateMachine, failed) == ["open after 2"])
    }

    @Test func `A delay requested by the server is respected`() {
        var stateMachine = open(configuration(jitter: 0))

        #expect(handle(&stateMachine, .failed(.transient(TestError(), retryAfter: .seconds(5)))) == ["interrupted", "open after 5"])
    }

    @Test func `A permanent failure ends the stream`() {
        var stateMachine = open(configuration())

        #expect(handle(&stateMachine, .failed(.permanent(TestError()))) == ["failed"])
    }

    @Test func `A cancel event ends the stream with its reason`() {
        var stateMachine = open(configuration())

        #expect(handle(&stateMachine, .signal(.cancel("too large"))) == ["cancelled: too large"])
        #expect(handle(&stateMachine, put) == [])
    }

    @Test func `A rejected token is refreshed at once, but not twice in a row`() {
        var stateMachine = open(configuration())
        _ = handle(&stateMachine, put)

        #expect(handle(&stateMachine, revoked) == ["interrupted", "open after 0 with a new token"])
        #expect(handle(&stateMachine, put) == ["put"])
        #expect(handle(&stateMachine, .tokenRejected("no")) == ["interrupted", "open after 0 with a new token"])
        #expect(handle(&stateMachine, .tokenRejected("no again")) == ["revoked: no again"])
    }

    @Test func `A rejected token ends the stream when it cannot be refreshed`() {
        var stateMachine = open(configuration(canRefreshToken: false))

        #expect(handle(&stateMachine, revoked) == ["revoked: expired"])
    }
}
