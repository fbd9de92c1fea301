import Foundation
import LadingOperations

// Texts of the operations page.
extension Texts {
    var reasons: [TemplateContext.Term] {
        SchedulingReason.allCases.map { TemplateContext.Term(name: "\($0.rawValue)", text: text(of: $0)) }
    }

    var outcomes: [TemplateContext.Term] {
        TracedDecision.Outcome.allCases.map { TemplateContext.Term(name: $0.rawValue, text: text(of: $0)) }
    }

    func row(of decision: TracedDecision) -> TemplateContext.OperationRow {
        TemplateContext.OperationRow(
            time: (decision.time / .seconds(1)).formatted(.number.precision(.fractionLength(3)).locale(language.locale)),
            operation: decision.operation, outcome: text(of: decision.outcome), state: decision.outcome.rawValue,
            lane: decision.lane.name, reason: "\(decision.reason.rawValue)")
    }

    private func text(of reason: SchedulingReason) -> String {
        switch reason {
        case .singleFlight: strings.reasonSingleFlight
        case .visibleFirst: strings.reasonVisibleFirst
        case .rowIdentity: strings.reasonRowIdentity
        case .staleGeneration: strings.reasonStaleGeneration
        case .retryable: strings.reasonRetryable
        case .dependency: strings.reasonDependency
        case .queueState: strings.reasonQueueState
        }
    }

    private func text(of outcome: TracedDecision.Outcome) -> String {
        switch outcome {
        case .queued: strings.outcomeQueued
        case .joined: strings.outcomeJoined
        case .checking: strings.outcomeChecking
        case .paused: strings.outcomePaused
        case .excluded: strings.outcomeExcluded
        case .started: strings.outcomeStarted
        case .awaitingRetry: strings.outcomeAwaitingRetry
        case .interrupted: strings.outcomeInterrupted
        case .succeeded: strings.outcomeSucceeded
        case .failed: strings.outcomeFailed
        case .cancelled: strings.outcomeCancelled
        case .dependencyFailed: strings.outcomeDependencyFailed
        case .expired: strings.outcomeExpired
        case .cacheHit: strings.outcomeCacheHit
        }
    }
}
