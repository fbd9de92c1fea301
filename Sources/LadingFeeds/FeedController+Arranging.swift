import LadingOperations
import Synchronization

/// How far the next arrangement of a list is. Transitions: idle → waiting → working → idle, or → waiting when it is out of date by then.
enum Rearrangement: Sendable {
    case idle
    /// For the interval to pass; a task that is not this one has been overtaken.
    case waiting(Task<Void, Never>, number: Int)
    /// What has changed meanwhile is to be arranged after this long; nil when nothing has.
    case working(Task<Void, Never>, again: Duration?)

    var task: Task<Void, Never>? {
        switch self {
        case .idle: nil
        case .waiting(let task, _), .working(let task, _): task
        }
    }
}

extension FeedController {
    /// Makes the arrangement anew, with what is known by then.
    func rearrange(after delay: Duration) {
        state.withLock { state in
            switch state.rearrangement {
            case .idle: wait(delay, &state)
            case .waiting(let task, _):
                guard delay == .zero else { return }
                task.cancel()
                wait(delay, &state)
            case .working(let task, let again):
                state.rearrangement = .working(task, again: min(again ?? delay, delay))
            }
        }
    }

    private func wait(_ delay: Duration, _ state: inout State) {
        guard !state.isStopped else { return }
        state.rearrangements += 1
        let number = state.rearrangements
        let task = queue.task { [weak self, time] in
            if delay > .zero { guard (try? await time.sleep(time.elapsed() + delay)) != nil else { return } }
            await self?.rearrange(number)
        }
        state.rearrangement = .waiting(task, number: number)
    }

    private func rearrange(_ number: Int) async {
        let (isDue, arrangement) = state.withLock { state in
            guard case .waiting(let task, number) = state.rearrangement else { return (false, state.arrangement) }
            state.rearrangement = .working(task, again: nil)
            return (true, state.arrangement)
        }
        guard isDue else { return }
        let work = BackendOperation("arrange", lane: .cpu) { [memory] in
            arrangement.map { memory.arranged(by: $0) } ?? memory.snapshot
        }
        let made = try? await queue.value(of: work, priority: .visible, for: viewer)
        change { state in
            guard case .working(_, let again) = state.rearrangement else { return }
            state.rearrangement = .idle
            if let again { state.effects.append(.rearrange(after: again)) }
            guard state.arrangement == arrangement, let snapshot = made.flatMap({ $0 }) else { return }
            arranged(snapshot, &state)
        }
    }

    private func arranged(_ snapshot: FeedSnapshot<F.Reference>, _ state: inout State) {
        let isOwnChange = state.shownArrangement != state.arrangement
        state.shownArrangement = state.arrangement
        if !isOwnChange, snapshot.isInSameOrder(as: state.list.snapshot) {
            state.list.snapshot = snapshot
            if state.isRenewed {
                decide(.list(snapshot), &state)
                look(&state)
            }
            state.post(FeedUpdate(isListChanged: true))
        } else {
            adopt(snapshot, isRearranged: isOwnChange, &state)
        }
        state.isRenewed = false
        if state.arrangement != nil { survey(&state) }
    }

    /// Puts down what is not known to be loaded, another step of it while the reader looks at the end of what was found.
    func survey(_ state: inout State) {
        // Rows that are stored need not be loaded.
        guard memory.areFactsRead else { return }
        if state.isWaitedFor { state.survey(.extend) }
        state.survey(.begin(memory.unknown(atMost: FeedSurvey<ID>.rowLimit, without: state.survey.done)))
    }

    /// Loads a row in the background so that it can be filtered and sorted.
    func survey(_ id: ID) {
        guard let snapshot = memory.snapshot, let index = snapshot.index(of: id) else {
            // It has left the list meanwhile, and leaves its place to another.
            return change { $0.survey(.ended(id)) }
        }
        let generation = memory.generation
        let operation = feed.load(snapshot.references[index])
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.surveying[id] = operation
            return true
        }
        guard isStarted else { return }
        operation.onResult { [weak self] result in
            self?.surveyed(id, operation, result, generation: generation.number)
        }
        queue.submit(operation, priority: .background, for: viewer, notBefore: generation.notBefore)
    }

    private func surveyed(
        _ id: ID, _ operation: BackendOperation<F.Row>, _ result: Result<F.Row, any Error>, generation: Int
    ) {
        if case .success(let row) = result { memory.store(row, for: id, fetched: operation.flightMark, generation: generation) }
        change { state in
            guard state.surveying[id] == operation else { return }
            state.surveying[id] = nil
            switch result {
            case .success:
                state.survey(.ended(id))
                state.surveyFailures[id] = nil
            case .failure(let error):
                state.survey(.failed(id))
                guard !(error is CancellationError) else { break }
                state.surveyFailures[id] = error
                state.effects.append(.report(error))
            }
            let delay = state.survey.isDone ? Duration.zero : Self.rearrangeInterval
            state.effects.append(.rearrange(after: delay))
        }
    }
}
