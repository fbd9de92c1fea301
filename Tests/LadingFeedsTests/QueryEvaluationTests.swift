import Testing

@testable import LadingFeeds

/// The timers of evaluations, as tables of events and effects.
@Suite struct QueryEvaluationTests {
    private static let soon = Duration.milliseconds(100)
    private static let later = Duration.milliseconds(500)

    private var evaluation = QueryEvaluation()

    /// Handles events; returns their effects.
    @discardableResult
    private mutating func handle(_ events: QueryEvaluation.Event...) -> [QueryEvaluation.Effect] {
        var effects: [QueryEvaluation.Effect] = []
        for event in events { evaluation.handle(event, effects: &effects) }
        return effects
    }

    @Test mutating func `A change schedules an evaluation, which runs once its timer has fired`() {
        #expect(handle(.schedule(after: Self.later)) == [.startTimer(number: 1, after: Self.later)])
        #expect(!evaluation.isRunning(number: 1))

        #expect(handle(.timerFired(number: 1)) == [])
        #expect(evaluation.isRunning(number: 1))

        #expect(handle(.ended(repeatAfter: nil)) == [])
        #expect(!evaluation.isRunning(number: 1))
        #expect(handle(.schedule(after: .zero)) == [.startTimer(number: 2, after: .zero)])
    }

    @Test mutating func `While an evaluation is scheduled, only one without a delay replaces its timer`() {
        handle(.schedule(after: Self.later))

        #expect(handle(.schedule(after: Self.later), .schedule(after: Self.soon)) == [])
        #expect(handle(.schedule(after: .zero)) == [.startTimer(number: 2, after: .zero)])
    }

    @Test mutating func `A timer that was replaced begins no evaluation`() {
        handle(.schedule(after: Self.later), .schedule(after: .zero))

        handle(.timerFired(number: 1))
        #expect(!evaluation.isRunning(number: 1) && !evaluation.isRunning(number: 2))

        handle(.timerFired(number: 2), .timerFired(number: 1))
        #expect(!evaluation.isRunning(number: 1) && evaluation.isRunning(number: 2))
    }

    @Test(
        arguments: [
            ([], nil, nil), ([], later, later), ([later], nil, later), ([later, soon], nil, soon), ([.zero, later], nil, .zero),
            ([soon], later, soon), ([later], soon, later),
        ] as [([Duration], Duration?, Duration?)])
    mutating func `Changes during an evaluation request another one after the shortest delay, before a repetition`(
        delays: [Duration], repeatDelay: Duration?, nextDelay: Duration?
    ) {
        handle(.schedule(after: .zero), .timerFired(number: 1))
        for delay in delays { #expect(handle(.schedule(after: delay)) == []) }

        let effects = handle(.ended(repeatAfter: repeatDelay))

        let expected: [QueryEvaluation.Effect] = nextDelay.map { [.startTimer(number: 2, after: $0)] } ?? []
        #expect(effects == expected)
        #expect(!evaluation.isRunning(number: 1))
    }

    @Test mutating func `The end of an evaluation has no effect unless one is running`() {
        #expect(handle(.ended(repeatAfter: Self.soon)) == [])
        handle(.schedule(after: Self.soon))

        #expect(handle(.ended(repeatAfter: .zero)) == [])

        handle(.timerFired(number: 1))
        #expect(evaluation.isRunning(number: 1))
    }
}
