import Foundation
import LadingOperations

// What the page of operations says.
extension Texts {
    var laws: [TemplateContext.Term] {
        Law.allCases.map { TemplateContext.Term(name: "\($0.rawValue)", text: text(of: $0)) }
    }

    var outcomes: [TemplateContext.Term] {
        TracedDecision.Outcome.allCases.map { TemplateContext.Term(name: $0.rawValue, text: text(of: $0)) }
    }

    func row(of decision: TracedDecision) -> TemplateContext.OperationRow {
        TemplateContext.OperationRow(
            time: (decision.time / .seconds(1)).formatted(.number.precision(.fractionLength(3)).locale(language.locale)),
            operation: decision.operation, outcome: text(of: decision.outcome), state: decision.outcome.rawValue,
            lane: decision.lane.name, law: "\(decision.law.rawValue)")
    }

    private func text(of law: Law) -> String {
        switch law {
        case .oneFlight: plain.lawOneFlight
        case .seenFirst: plain.lawSeenFirst
        case .velocity: plain.lawVelocity
        case .identity: plain.lawIdentity
        case .generations: plain.lawGenerations
        case .nothingErased: plain.lawNothingErased
        case .failedIsNotFinal: plain.lawFailedIsNotFinal
        case .dependents: plain.lawDependents
        case .decisionsAreValues: plain.lawDecisionsAreValues
        }
    }

    private func text(of outcome: TracedDecision.Outcome) -> String {
        switch outcome {
        case .began: plain.outcomeBegan
        case .joined: plain.outcomeJoined
        case .checking: plain.outcomeChecking
        case .paused: plain.outcomePaused
        case .excluded: plain.outcomeExcluded
        case .started: plain.outcomeStarted
        case .resting: plain.outcomeResting
        case .interrupted: plain.outcomeInterrupted
        case .succeeded: plain.outcomeSucceeded
        case .failed: plain.outcomeFailed
        case .cancelled: plain.outcomeCancelled
        case .dependencyFailed: plain.outcomeDependencyFailed
        case .expired: plain.outcomeExpired
        case .known: plain.outcomeKnown
        }
    }
}
