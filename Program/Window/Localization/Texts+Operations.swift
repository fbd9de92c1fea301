import Foundation
import LadingOperations

// Texts of the operations page.
extension Texts {
    /// The pairs of outcome and reason that queues record.
    private static let recordedDecisions: [(outcome: TracedDecision.Outcome, reason: SchedulingReason)] = [
        (.queued, .singleFlight), (.queued, .staleGeneration), (.joined, .singleFlight), (.checking, .dependency),
        (.paused, .queueState), (.excluded, .queueState), (.started, .visibleFirst), (.awaitingRetry, .retryable),
        (.interrupted, .singleFlight), (.succeeded, .singleFlight), (.failed, .retryable), (.cancelled, .singleFlight),
        (.dependencyFailed, .dependency), (.expired, .queueState), (.cacheHit, .rowIdentity),
    ]

    /// The sentences that explain recorded decisions.
    var reasons: [TemplateContext.DecisionReason] {
        Self.recordedDecisions.map { outcome, reason in
            TemplateContext.DecisionReason(
                state: outcome.rawValue, number: "\(reason.rawValue)", outcome: text(of: outcome), text: text(of: reason, for: outcome))
        }
    }

    var outcomes: [TemplateContext.Term] {
        TracedDecision.Outcome.allCases.map { TemplateContext.Term(name: $0.rawValue, text: text(of: $0)) }
    }

    func row(of decision: TracedDecision) -> TemplateContext.OperationRow {
        TemplateContext.OperationRow(
            time: (decision.time / .seconds(1)).formatted(.number.precision(.fractionLength(3)).locale(language.locale)),
            operation: decision.operation, outcome: text(of: decision.outcome), state: decision.outcome.rawValue,
            lane: decision.lane.name, reason: text(of: decision.reason, for: decision.outcome))
    }

    /// Returns the sentence that explains a decision. A rule alone does not: the one for equal requests shares, completes and cancels operations.
    private func text(of reason: SchedulingReason, for outcome: TracedDecision.Outcome) -> String {
        switch outcome {
        case .queued: reason == .staleGeneration ? strings.reasonQueuedAgain : strings.reasonQueued
        case .joined: strings.reasonJoined
        case .checking: strings.reasonChecking
        case .paused: strings.reasonPaused
        case .excluded: strings.reasonExcluded
        case .started: strings.reasonStarted
        case .awaitingRetry: strings.reasonAwaitingRetry
        case .interrupted, .cancelled: strings.reasonCancelled
        case .succeeded: strings.reasonSucceeded
        case .failed: strings.reasonFailed
        case .dependencyFailed: strings.reasonDependencyFailed
        case .expired: strings.reasonExpired
        case .cacheHit: strings.reasonCacheHit
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
