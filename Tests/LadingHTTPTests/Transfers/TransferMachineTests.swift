import Foundation
import LadingTesting
import Synchronization
import Testing

@testable import LadingHTTP

/// What becomes of a transfer, as a table of states and events.
@Suite struct TransferMachineTests {
    private struct Broken: Error {}

    private static let passing = TransferMachine.Event.broke(.passing(Broken()), moved: false)
    private static let final = TransferMachine.Event.broke(.final(Broken()), moved: false)
    private static let kept = TransferMachine.Event.broke(.kept(Broken()), moved: false)

    /// The state and the effects of each event, in words.
    private func told(from status: TransferStatus = .pending, _ events: [TransferMachine.Event]) -> [String] {
        var machine = TransferMachine(status, patience: TransferPatience(attempts: 3)) { 0.5 }
        return events.map { event in
            var effects: [TransferMachine.Effect] = []
            machine.handle(event, effects: &effects)
            return ([word(machine.state)] + effects.map(word)).joined(separator: " ")
        }
    }

    private func word(_ effect: TransferMachine.Effect) -> String {
        if case .wait(let delay) = effect { "wait:\(delay / .milliseconds(1))" } else { "\(effect)" }
    }

    private func word(_ state: TransferMachine.State) -> String {
        if case .stopping(let goal) = state { "stopping:\(goal)" } else { "\(state)" }
    }

    @Test func `It runs and is finished`() {
        #expect(told([.begin, .began, .done]) == ["queued run", "running", "finished note"])
    }

    @Test func `Pause stops the attempt, resume begins another`() {
        #expect(
            told([.begin, .began, .pause, .stopped, .resume, .began, .done]) == [
                "queued run", "running", "stopping:paused stop", "paused note", "queued run", "running", "finished note",
            ])
    }

    @Test func `Cancel leaves nothing behind`() {
        #expect(told([.begin, .began, .cancel, .stopped]).suffix(2) == ["stopping:cancelled stop", "cancelled discard note"])
        #expect(told([.begin, .began, Self.passing, .cancel]).last == "cancelled stopWaiting discard note")
        #expect(told(from: .paused, [.cancel]) == ["cancelled discard note"])
        #expect(told(from: .failed, [.cancel]) == ["cancelled discard note"])
    }

    @Test func `Who changes his mind while it stops gets what he wants last, except after cancel`() {
        #expect(told([.begin, .began, .pause, .resume, .stopped]).suffix(2) == ["stopping:queued", "queued run"])
        #expect(told([.begin, .began, .pause, .cancel, .stopped]).last == "cancelled discard note")
        #expect(told([.begin, .began, .cancel, .resume, .stopped]).last == "cancelled discard note")
        #expect(told([.begin, .began, .release, .pause, .stopped]).last == "paused note")
    }

    @Test func `An attempt that is done before it can be stopped is done`() {
        #expect(told([.begin, .began, .pause, .done]).last == "finished note")
        #expect(told([.begin, .began, .cancel, .done]).last == "finished note")
    }

    @Test func `What may pass is tried again, later each time, and then given up`() {
        #expect(
            told([.begin, .began, Self.passing, .due, .began, Self.passing, .due, .began, Self.passing]) == [
                "queued run", "running", "waiting wait:250.0", "queued run", "running", "waiting wait:500.0", "queued run", "running",
                "failed note",
            ])
    }

    @Test func `An attempt that brought something counts as the first`() {
        let moved = TransferMachine.Event.broke(.passing(Broken()), moved: true)
        let round: [TransferMachine.Event] = [.began, moved, .due]

        let steps = told([.begin] + round + round + round + round)

        #expect(steps.count { $0 == "waiting wait:250.0" } == 4)
    }

    @Test func `The server may ask for a longer wait, up to the cap`() {
        #expect(told([.begin, .began, .broke(.passing(Broken(), wait: .seconds(7)), moved: false)]).last == "waiting wait:7000.0")
        #expect(told([.begin, .began, .broke(.passing(Broken(), wait: .seconds(700)), moved: false)]).last == "waiting wait:30000.0")
    }

    @Test func `A failure for good is not tried again, and keeps the bytes only where they are of use`() {
        #expect(told([.begin, .began, Self.final]).last == "failed discard note")
        #expect(told([.begin, .began, Self.kept]).last == "failed note")
        #expect(told([.begin, .began, Self.kept, .resume]).last == "queued run")
    }

    @Test func `Waiting can be cut short`() {
        #expect(told([.begin, .began, Self.passing, .resume]).last == "queued stopWaiting run")
        #expect(told([.begin, .began, Self.passing, .pause]).last == "paused stopWaiting note")
        #expect(told([.begin, .began, Self.passing, .release]).last == "pending stopWaiting note")
    }

    @Test func `A restart ends the attempt under way, and begins another`() {
        #expect(told([.begin, .restart, .stopped]).suffix(2) == ["stopping:queued stop", "queued run"])
        #expect(told([.begin, .began, .restart, .stopped]).suffix(2) == ["stopping:queued stop", "queued run"])
        #expect(told([.begin, .began, .restart, Self.final]).last == "queued run")
        #expect(told([.begin, .began, .restart, .done]).last == "finished note")
        #expect(told([.begin, .began, .pause, .restart, .stopped]).suffix(2) == ["stopping:queued", "queued run"])
        #expect(told([.begin, .began, .cancel, .restart, .stopped]).last == "cancelled discard note")
        #expect(told([.begin, .began, Self.passing, .restart]).last == "queued stopWaiting run")
    }

    @Test(arguments: [TransferStatus.pending, .paused, .failed]) func `A restart lets go on what stands still`(status: TransferStatus) {
        #expect(told(from: status, [.restart]) == ["queued run"])
    }

    @Test func `What was running when the program ended goes on`() {
        #expect(told(from: .running, [.begin]) == ["queued run"])
        #expect(told(from: .paused, [.begin, .resume]) == ["paused", "queued run"])
    }

    @Test(arguments: [TransferStatus.finished, .cancelled]) func `Nothing changes what has ended`(status: TransferStatus) {
        let events: [TransferMachine.Event] = [
            .begin, .began, .done, .stopped, .due, Self.passing, Self.final, .pause, .resume, .restart, .cancel, .release,
        ]

        #expect(Set(told(from: status, events)) == [status.rawValue])
    }

    /// In any order of events: an attempt runs at most once at a time, and the journal is left alone while it does.
    @Test(arguments: Seeds.several(200)) func `Attempts never overlap`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = TransferMachine(patience: TransferPatience()) { 0.5 }
        var isRunning = false
        for _ in 0..<300 {
            let wishes: [TransferMachine.Event] = [.begin, .due, .pause, .resume, .restart, .cancel, .release]
            let endings: [TransferMachine.Event] = [.began, .done, .stopped, Self.passing, Self.final, Self.kept]
            // An attempt tells of itself only while there is one; cancel is rare, because it ends everything.
            var event =
                isRunning && Bool.random(using: &random) ? endings.randomElement(using: &random)! : wishes.randomElement(using: &random)!
            if case .cancel = event, Int.random(in: 0..<50, using: &random) > 0 { event = .pause }
            var effects: [TransferMachine.Effect] = []
            switch event {
            case .done, .stopped, .broke: isRunning = false
            default: break
            }

            machine.handle(event, effects: &effects)

            for effect in effects {
                switch effect {
                case .run:
                    #expect(!isRunning, "seed \(seed)")
                    isRunning = true
                case .note, .discard: #expect(!isRunning, "seed \(seed)")
                case .stop, .wait, .stopWaiting: break
                }
            }
            let isSeenRunning = [.queued, .running].contains(machine.state) || machine.status == .running
            #expect(isSeenRunning == isRunning, "seed \(seed)")
        }
    }
}
