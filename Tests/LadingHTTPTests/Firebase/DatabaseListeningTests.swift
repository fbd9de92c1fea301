import Foundation
import Testing

@testable import LadingHTTP

@Suite struct DatabaseListeningTests {
    private struct Trouble: Error {}

    private func rules(canRenew: Bool = true, attempts: Int = 3, luck: Double = 1) -> DatabaseListening.Rules {
        DatabaseListening.Rules(
            patience: TransferPatience(attempts: attempts, base: .seconds(1), cap: .seconds(8)), canRenew: canRenew, luck: { luck })
    }

    private func open(_ rules: DatabaseListening.Rules) -> DatabaseListening {
        var listening = DatabaseListening(.root, rules)
        #expect(tell(&listening, .begin) == ["open after 0"])
        return listening
    }

    /// What is to be done, in words.
    private func tell(_ listening: inout DatabaseListening, _ event: DatabaseListening.Event) -> [String] {
        var effects: [DatabaseListening.Effect] = []
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

    private let put = DatabaseListening.Event.signal(.event(.put([], 1)))
    private let patch = DatabaseListening.Event.signal(.event(.patch([], [:])))
    private let alive = DatabaseListening.Event.signal(.event(.keepAlive))
    private let broke = DatabaseListening.Event.broke(.passing(Trouble()))
    private let revoked = DatabaseListening.Event.signal(.authRevoked("expired"))

    @Test func `Events are handed on, and what is not known is not`() {
        var listening = open(rules())

        #expect(tell(&listening, put) == ["put"])
        #expect(tell(&listening, patch) == ["patch"])
        #expect(tell(&listening, alive) == ["alive"])
        #expect(tell(&listening, .signal(.other)) == [])
    }

    @Test func `A stream that broke is opened again after waits that grow, and given up in the end`() {
        var listening = open(rules())
        _ = tell(&listening, put)

        #expect(tell(&listening, broke) == ["interrupted", "open after 1"])
        #expect(tell(&listening, broke) == ["open after 2"])
        #expect(tell(&listening, broke) == ["failed"])
        #expect(tell(&listening, broke) == [] && tell(&listening, put) == [])
    }

    @Test func `A put ends a row of failures, being alive does not`() {
        var listening = open(rules())

        _ = tell(&listening, broke)
        _ = tell(&listening, broke)
        _ = tell(&listening, put)
        #expect(tell(&listening, broke) == ["interrupted", "open after 1"])
        _ = tell(&listening, alive)
        #expect(tell(&listening, broke) == ["open after 2"])
    }

    @Test func `A server that wants to be left alone is`() {
        var listening = open(rules(luck: 0))

        #expect(tell(&listening, .broke(.passing(Trouble(), wait: .seconds(5)))) == ["interrupted", "open after 5"])
    }

    @Test func `What will not pass ends it`() {
        var listening = open(rules())

        #expect(tell(&listening, .broke(.final(Trouble()))) == ["failed"])
    }

    @Test func `A cancel ends it`() {
        var listening = open(rules())

        #expect(tell(&listening, .signal(.cancel)) == ["cancelled"])
        #expect(tell(&listening, put) == [])
    }

    @Test func `A token that is no longer good is renewed at once, but not twice in a row`() {
        var listening = open(rules())
        _ = tell(&listening, put)

        #expect(tell(&listening, revoked) == ["interrupted", "open after 0 anew"])
        #expect(tell(&listening, put) == ["put"])
        #expect(tell(&listening, .refused("no")) == ["interrupted", "open after 0 anew"])
        #expect(tell(&listening, .refused("no again")) == ["revoked: no again"])
    }

    @Test func `Where there is no other token, that ends it`() {
        var listening = open(rules(canRenew: false))

        #expect(tell(&listening, revoked) == ["revoked: expired"])
    }
}
