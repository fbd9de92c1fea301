import Foundation
import LadingTesting
import Synchronization
import Testing
@testable import LadingTransfers

/// The states and effects of a transfer, as tables of events.
@Suite struct TransferStateMachineTests {
    private struct Broken: Error {}

    private static let transient = failed(.transient(Broken()))
    private static let permanent = failed(.permanent(Broken()))
    private static let resumable = failed(.resumable(Broken()))

    private static func failed(
        _ failure: AttemptFailure, madeProgress: Bool = false, refreshedURL: Bool = false
    ) -> TransferStateMachine.Event {
        .failed(failure, madeProgress: madeProgress, refreshedURL: refreshedURL)
    }

    /// Returns descriptions of the state and the effects after each event.
    private func steps(from status: TransferStatus = .pending, _ events: [TransferStateMachine.Event]) -> [String] {
        var machine = TransferStateMachine(status, retryPolicy: TransferRetryPolicy(attempts: 3)) { 0.5 }
        return events.map { event in
            var effects: [TransferStateMachine.Effect] = []
            machine.handle(event, effects: &effects)
            return ([describe(machine.state)] + effects.map(describe)).joined(separator: " ")
        }
    }

    private func describe(_ effect: TransferStateMachine.Effect) -> String {
        switch effect {
        case .scheduleRetry(let delay): "wait:\(delay / .milliseconds(1))"
        case .run(let mayRefreshURL): mayRefreshURL ? "run" : "run:sameURL"
        default: "\(effect)"
        }
    }

    private func describe(_ state: TransferStateMachine.State) -> String {
        if case .stopping(let target) = state { "stopping:\(target)" } else { "\(state)" }
    }

    @Test func `A transfer runs and finishes`() {
        #expect(steps([.start, .started, .done]) == ["queued run", "running", "finished save"])
    }

    @Test func `Pausing stops the attempt, and resuming starts another`() {
        #expect(
            steps([.start, .started, .pause, .stopped, .resume, .started, .done]) == [
                "queued run", "running", "stopping:paused stop", "paused save", "queued save run", "running", "finished save",
            ])
    }

    @Test func `Cancelling discards the partial data`() {
        #expect(steps([.start, .started, .cancel, .stopped]).suffix(2) == ["stopping:cancelled stop", "cancelled discard save"])
        #expect(steps([.start, .started, Self.transient, .cancel]).last == "cancelled cancelRetry discard save")
        #expect(steps(from: .paused, [.cancel]) == ["cancelled discard save"])
        #expect(steps(from: .failed, [.cancel]) == ["cancelled discard save"])
    }

    @Test func `The last command during a stop wins, except after a cancellation`() {
        #expect(steps([.start, .started, .pause, .resume, .stopped]).suffix(2) == ["stopping:queued", "queued run"])
        #expect(steps([.start, .started, .pause, .cancel, .stopped]).last == "cancelled discard save")
        #expect(steps([.start, .started, .cancel, .resume, .stopped]).last == "cancelled discard save")
    }

    @Test func `A transfer that is released while it is being paused or cancelled is paused or cancelled`() {
        #expect(steps([.start, .started, .pause, .release, .stopped]).suffix(2) == ["stopping:paused", "paused save"])
        #expect(steps([.start, .started, .cancel, .release, .stopped]).last == "cancelled discard save")
        #expect(steps([.start, .started, .pause, .release, .resume, .stopped]).last == "paused save")
    }

    private static let commands: [TransferStateMachine.Event] = [.start, .resume, .restart, .pause, .cancel, .release]

    @Test func `A released transfer starts no further attempt, whatever the commands`() {
        let commands = Self.commands

        #expect(Set(steps([.start, .started, .release] + commands).suffix(commands.count)) == ["stopping:released"])
        #expect(Set(steps([.start, .started, .restart, .release] + commands).suffix(commands.count)) == ["stopping:released"])
        #expect(steps([.start, .started, .release] + commands + [.stopped])[3 + commands.count] == "pending save")
        #expect(Set(steps([.start, .release, .stopped] + commands).suffix(commands.count)) == ["pending"])
        #expect(Set(steps([.start, .started, Self.transient, .release, .retryDue] + commands).suffix(commands.count + 1)) == ["pending"])
    }

    @Test(arguments: [TransferStatus.pending, .paused, .failed]) func `A transfer that is released without an attempt keeps its state`(
        status: TransferStatus
    ) {
        #expect(Set(steps(from: status, [.release] + Self.commands)) == [status.rawValue])
    }

    @Test func `An attempt that finishes before it stops counts as finished`() {
        #expect(steps([.start, .started, .pause, .done]).last == "finished save")
        #expect(steps([.start, .started, .cancel, .done]).last == "finished save")
    }

    @Test func `A transient failure is retried with growing delays until the attempts are exhausted`() {
        #expect(
            steps([.start, .started, Self.transient, .retryDue, .started, Self.transient, .retryDue, .started, Self.transient]) == [
                "queued run", "running", "waiting wait:250.0", "queued run", "running", "waiting wait:500.0", "queued run", "running",
                "failed save",
            ])
    }

    @Test func `A policy may have a single attempt, or equal delays`() {
        let single = TransferRetryPolicy(attempts: 1)
        let equal = TransferRetryPolicy(attempts: 3, base: .seconds(1), cap: .seconds(1))

        #expect(single.delay(after: 1, retryAfter: nil, jitter: 0.5) == nil)
        #expect([1, 2, 3].map { equal.delay(after: $0, retryAfter: nil, jitter: 0.5) } == [.milliseconds(500), .milliseconds(500), nil])
    }

    @Test func `Delays double up to the cap, and do not overflow`() {
        let policy = TransferRetryPolicy(attempts: 1_001, base: .milliseconds(2), cap: .seconds(2_000))

        let delays = [20, 21, 70, 1_000].map { policy.delay(after: $0, retryAfter: nil, jitter: 0.5) }

        #expect(delays == [.milliseconds(524_288), .seconds(1_000), .seconds(1_000), .seconds(1_000)])
    }

    @Test func `An attempt with progress resets the count of failures`() {
        let round: [TransferStateMachine.Event] = [.started, Self.failed(.transient(Broken()), madeProgress: true), .retryDue]

        let steps = steps([.start] + round + round + round + round)

        #expect(steps.count { $0 == "waiting wait:250.0" } == 4)
    }

    @Test func `A delay requested by the server is respected up to the maximum`() {
        #expect(
            steps([.start, .started, Self.failed(.transient(Broken(), retryAfter: .seconds(7)))]).last == "waiting wait:7000.0")
        #expect(
            steps([.start, .started, Self.failed(.transient(Broken(), retryAfter: .seconds(700)))]).last == "waiting wait:30000.0")
    }

    // MARK: Refused URLs

    private static let refreshed = failed(.transient(Broken()), refreshedURL: true)

    @Test func `After a refreshed URL no attempt refreshes another one, until one makes progress`() {
        let progress = Self.failed(.transient(Broken()), madeProgress: true)
        let refreshedAfterProgress = Self.failed(.transient(Broken()), madeProgress: true, refreshedURL: true)

        #expect(steps([.start, .started, Self.refreshed, .retryDue]).last == "queued run:sameURL")
        #expect(steps([.start, .started, Self.refreshed, .retryDue, .started, Self.transient, .retryDue]).last == "queued run:sameURL")
        #expect(steps([.start, .started, Self.refreshed, .retryDue, .started, progress, .retryDue]).last == "queued run")
        #expect(steps([.start, .started, refreshedAfterProgress, .retryDue]).last == "queued run:sameURL")
    }

    @Test func `A transfer that is started or resumed may refresh its URL again, not one whose retry begins early`() {
        #expect(steps([.start, .started, Self.refreshed, .resume]).last == "queued cancelRetry run:sameURL")
        #expect(steps([.start, .started, Self.refreshed, .pause, .resume]).last == "queued save run")
        #expect(steps([.start, .started, Self.refreshed, .retryDue, .started, Self.permanent, .resume]).last == "queued save run")
        #expect(steps([.start, .started, Self.refreshed, .retryDue, .started, .stopped, .resume]).last == "queued run")
    }

    @Test func `A restart in place of the first attempt may refresh the URL again, that of a later one may not`() {
        #expect(steps([.start, .started, .restart, Self.refreshed]).last == "queued run")
        #expect(steps([.start, .started, Self.transient, .retryDue, .restart, Self.refreshed]).last == "queued run:sameURL")
        #expect(steps([.start, .started, Self.refreshed, .retryDue, .restart, .stopped]).last == "queued run:sameURL")
    }

    @Test func `A permanent failure is not retried, and partial data is retained only if it can be resumed`() {
        #expect(steps([.start, .started, Self.permanent]).last == "failed discard save")
        #expect(steps([.start, .started, Self.resumable]).last == "failed save")
        #expect(steps([.start, .started, Self.resumable, .resume]).last == "queued save run")
    }

    @Test func `A transfer whose attempt is stopped without a command waits for the next command`() {
        #expect(steps([.start, .started, .stopped, .resume]).suffix(2) == ["interrupted save", "queued run"])
        #expect(steps([.start, .stopped, .start]).suffix(2) == ["interrupted save", "queued run"])
        #expect(steps([.start, .stopped, .restart]).last == "queued run")
        #expect(steps([.start, .stopped, .pause]).last == "paused save")
        #expect(steps([.start, .stopped, .cancel]).last == "cancelled discard save")
        #expect(steps([.start, .stopped, .release, .resume]).suffix(2) == ["interrupted", "interrupted"])
    }

    @Test func `A scheduled retry can be started early or cancelled`() {
        #expect(steps([.start, .started, Self.transient, .resume]).last == "queued cancelRetry run")
        #expect(steps([.start, .started, Self.transient, .pause]).last == "paused cancelRetry save")
        #expect(steps([.start, .started, Self.transient, .release]).last == "pending cancelRetry save")
    }

    @Test func `A restart stops the running attempt and starts another`() {
        #expect(steps([.start, .restart, .stopped]).suffix(2) == ["stopping:queued stop", "queued run"])
        #expect(steps([.start, .started, .restart, .stopped]).suffix(2) == ["stopping:queued stop", "queued run"])
        #expect(steps([.start, .started, .restart, Self.permanent]).last == "queued run")
        #expect(steps([.start, .started, .restart, .done]).last == "finished save")
        #expect(steps([.start, .started, .pause, .restart, .stopped]).suffix(2) == ["stopping:queued", "queued run"])
        #expect(steps([.start, .started, .cancel, .restart, .stopped]).last == "cancelled discard save")
        #expect(steps([.start, .started, Self.transient, .restart]).last == "queued cancelRetry run")
    }

    @Test(arguments: [(TransferStatus.pending, "queued run"), (.paused, "queued save run"), (.failed, "queued save run")])
    func `A restart starts a transfer that is not running`(status: TransferStatus, step: String) {
        #expect(steps(from: status, [.restart]) == [step])
    }

    @Test func `A change of the record has no effect on the state`() {
        #expect(
            steps([.recordChanged, .start, .recordChanged, .started, .recordChanged, Self.transient, .recordChanged]) == [
                "pending", "queued run", "queued", "running", "running", "waiting wait:250.0", "waiting",
            ])
        #expect(steps([.start, .started, .pause, .recordChanged, .stopped]).suffix(2) == ["stopping:paused", "paused save"])
    }

    @Test func `A transfer that was running when its process ended is queued again`() {
        #expect(steps(from: .running, [.start]) == ["queued run"])
        #expect(steps(from: .paused, [.start, .resume]) == ["paused", "queued save run"])
    }

    @Test(arguments: [TransferStatus.finished, .cancelled]) func `A finished or cancelled transfer ignores all events`(
        status: TransferStatus
    ) {
        let events: [TransferStateMachine.Event] = [
            .start, .started, .done, .stopped, .retryDue, Self.transient, Self.permanent, .pause, .resume, .restart, .cancel, .release,
            .recordChanged,
        ]

        #expect(Set(steps(from: status, events)) == [status.rawValue])
    }

    /// Checks that, in any order of events, at most one attempt runs at a time and nothing is saved or discarded meanwhile.
    @Test(arguments: TestSeeds.seeds(count: 200)) func `Attempts never overlap`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = TransferStateMachine(retryPolicy: TransferRetryPolicy()) { 0.5 }
        var (isRunning, isReleased) = (false, false)
        for _ in 0..<300 {
            let commands: [TransferStateMachine.Event] = [.start, .retryDue, .pause, .resume, .restart, .cancel, .release]
            let endings: [TransferStateMachine.Event] = [.started, .done, .stopped, Self.transient, Self.permanent, Self.resumable]
            // Results arrive only during an attempt; cancel and release are rare, because they are final.
            var event =
                isRunning && Bool.random(using: &random) ? endings.randomElement(using: &random)! : commands.randomElement(using: &random)!
            var effects: [TransferStateMachine.Effect] = []
            switch event {
            case .done, .stopped, .failed: isRunning = false
            case .cancel where Int.random(in: 0..<50, using: &random) > 0: event = .pause
            case .release where Int.random(in: 0..<50, using: &random) > 0: event = .resume
            case .release: isReleased = true
            default: break
            }

            machine.handle(event, effects: &effects)

            for effect in effects {
                switch effect {
                case .run:
                    #expect(!isRunning && !isReleased, "seed \(seed)")
                    isRunning = true
                case .save, .discard: #expect(!isRunning, "seed \(seed)")
                case .stop, .scheduleRetry, .cancelRetry: break
                }
            }
            let isSeenRunning = [.queued, .running].contains(machine.state) || machine.status == .running
            #expect(isSeenRunning == isRunning, "seed \(seed)")
        }
    }
}
