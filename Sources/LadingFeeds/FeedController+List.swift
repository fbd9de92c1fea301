import LadingOperations
import Synchronization

// MARK: - Fetching

extension FeedController {
    /// The list is loading from now on, even if another thread has effects to perform before it gets to this one.
    func fetchList(refreshedAt: OperationMark?) {
        let operation = feed.list()
        change { state in
            if let earlier = state.listOperation { state.effects.append(.cancelList(earlier)) }
            state.listOperation = operation
            state.list.state = .loading
            state.effects.append(.fetchList(operation, refreshedAt: refreshedAt))
        }
    }

    func fetchList(by operation: BackendOperation<[F.Reference]>, refreshedAt: OperationMark?) {
        tell(FeedUpdate(isListChanged: true))
        operation.onSetback { [weak self] in self?.listSetBack(operation, $0.error) }
        operation.onResult { [weak self] result in
            self?.listEnded(operation, result, refreshedAt: refreshedAt)
        }
        queue.submit(operation, priority: .visible, for: viewer, notBefore: refreshedAt)
    }

    /// The list is still being fetched, but not at the first attempt.
    private func listSetBack(_ operation: BackendOperation<[F.Reference]>, _ error: any Error) {
        change { state in
            guard state.listOperation == operation else { return }
            state.list.failure = error
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    private func listEnded(
        _ operation: BackendOperation<[F.Reference]>, _ result: Result<[F.Reference], any Error>,
        refreshedAt: OperationMark?
    ) {
        guard state.withLock({ $0.listOperation == operation }) else { return }
        // Storing it tells all screens, this one among them, before it is told below that its own wish has ended.
        if case .success(let references) = result {
            memory.store(references, fetched: operation.flightMark, refreshedAt: refreshedAt)
        }
        change { state in
            guard state.listOperation == operation else { return }
            state.listOperation = nil
            switch result {
            case .success:
                state.list.state = .loaded
                state.list.failure = nil
            case .failure(is CancellationError): state.list.state = state.list.failure == nil ? .loaded : .failed
            case .failure(let error):
                state.list.state = .failed
                state.list.failure = error
                state.effects.append(.report(error))
            }
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    /// Another list has arrived, asked for by this screen or another.
    func listChanged() {
        change { state in
            let isRefreshed = state.generation != memory.generation.number
            let isConfirmed = !state.isListFetched && memory.isListFetched && state.list.snapshot.count > 0
            state.generation = memory.generation.number
            state.isListFetched = memory.isListFetched
            if isRefreshed || isConfirmed {
                // Rows under way may be asked for at addresses that a stored list has.
                decide(.renew, &state)
                state.failures = [:]
                // What could not be loaded for the arrangement is tried again.
                state.survey(.stop)
                state.surveyFailures = [:]
            }
            if memory.isListFetched { state.noteFetched() }
            guard state.arrangement != nil else {
                if let snapshot = memory.snapshot { adopt(snapshot, &state) }
                return
            }
            state.isRenewed = state.isRenewed || isRefreshed || isConfirmed
            state.effects.append(.rearrange(after: .zero))
        }
    }

    func adopt(_ snapshot: FeedSnapshot<F.Reference>, isRearranged: Bool = false, _ state: inout State) {
        if !isRearranged { state.follow(snapshot) }
        state.list.snapshot = snapshot
        state.list.number += 1
        if isRearranged { state.list.arrangements += 1 }
        decide(.list(snapshot), &state)
        look(&state)
        state.post(FeedUpdate(isListChanged: true))
    }
}

extension FeedController.State {
    /// Another screen may have fetched the list that this one could not.
    fileprivate mutating func noteFetched() {
        guard listOperation == nil else { return }
        list.state = .loaded
        list.failure = nil
    }

    /// Keeps the first visible row in place when the list becomes another. Who looks at the top of a sorted list sees what comes to be first.
    fileprivate mutating func follow(_ snapshot: FeedSnapshot<F.Reference>) {
        guard let top = viewport?.visible.lowerBound, top > 0 || arrangement == nil,
            let place = list.snapshot.place(near: top, in: snapshot)
        else { return }
        viewport = viewport?.moved(by: place.there - place.here)
    }
}
