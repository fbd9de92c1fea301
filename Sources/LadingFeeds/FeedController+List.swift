import LadingOperations
import Synchronization

// MARK: - Fetching

extension FeedController {
    /// Sets the loading state at once, even if another thread still has effects to perform before the fetch.
    func fetchList(refreshEpoch: QueueEpoch?) {
        let operation = feed.list()
        change { state in
            readStoredList(&state)
            state.handleListFetch(.start(operation))
            state.effects.append(.fetchList(operation, refreshEpoch: refreshEpoch))
        }
    }

    func fetchList(by operation: BackendOperation<F.List>, refreshEpoch: QueueEpoch?) {
        notify(FeedUpdate(isListChanged: true))
        operation.onRetry { [weak self] in self?.listWillRetry(operation, $0.error) }
        operation.onResult { [weak self] result in
            self?.listFetchEnded(operation, result, refreshEpoch: refreshEpoch)
        }
        queue.submit(operation, priority: .visible, for: consumer, noOlderThan: refreshEpoch)
    }

    /// Reports the error of a failed attempt that is retried.
    private func listWillRetry(_ operation: BackendOperation<F.List>, _ error: any Error) {
        change { state in
            guard state.listFetch.operation == operation else { return }
            state.handleListFetch(.willRetry(error))
            state.post(FeedUpdate(isListChanged: true))
        }
    }

    private func listFetchEnded(
        _ operation: BackendOperation<F.List>, _ result: Result<F.List, any Error>, refreshEpoch: QueueEpoch?
    ) {
        guard state.withLock({ $0.listFetch.operation == operation }) else { return }
        // Store the list first: this notifies all screens, including this one, before the state reports the end of the fetch.
        if case .success(let list) = result {
            cache.store(list, fetchEpoch: queue.epoch(of: operation), refreshEpoch: refreshEpoch)
        }
        change { state in
            guard state.listFetch.operation == operation else { return }
            switch result {
            case .success: state.handleListFetch(.succeeded)
            case .failure(is CancellationError): state.handleListFetch(.cancelled(isListKnown: cache.snapshot != nil))
            case .failure(let error): state.handleListFetch(.failed(error))
            }
            state.post(FeedUpdate(isListChanged: true))
        }
        callListEndHandlers()
    }

    /// Applies a list that this or another screen has fetched.
    func listChanged() {
        change { state in
            let generation = cache.generation.number
            let isRefreshed = state.generation != generation
            state.generation = generation
            if isRefreshed {
                // Loads in progress may use addresses of the list before.
                handle(.invalidateAll, &state)
                state.requests = RowRequests()
                // Rows that failed during indexing are retried.
                state.handleIndexing(.listRefreshed)
            }
            if cache.isListFetched { state.handleListFetch(.fetchedByOther) }
            guard state.query != nil else {
                if let snapshot = cache.snapshot { replaceList(with: snapshot, &state) }
                return
            }
            state.needsRowReload = state.needsRowReload || isRefreshed
            state.handleEvaluation(.schedule(after: .zero))
        }
    }

    func replaceList(with snapshot: FeedSnapshot<F.Reference>, isQueryChange: Bool = false, _ state: inout State) {
        if !isQueryChange { state.adjustViewport(to: snapshot) }
        (state.requests, state.needsRowReload) = (RowRequests(), false)
        state.snapshot = snapshot
        state.revision += 1
        if isQueryChange { state.appliedQueryCount += 1 }
        handle(.list(snapshot), &state)
        updatePlanner(&state)
        state.post(FeedUpdate(isListChanged: true))
    }
}

// MARK: - The end of a fetch

extension FeedController {
    /// Calls a function once this controller fetches no list: now, or on the thread that ends the fetch.
    func onListFetchEnd(_ handler: @escaping @Sendable () -> Void) {
        let isFetching = state.withLock { state in
            guard state.listFetch.operation != nil else { return false }
            state.listEndHandlers.append(handler)
            return true
        }
        if !isFetching { handler() }
    }

    /// Calls the handlers of the end of the fetch, unless the list is fetched again.
    func callListEndHandlers() {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            guard state.listFetch.operation == nil else { return [] }
            defer { state.listEndHandlers = [] }
            return state.listEndHandlers
        }
        for handler in handlers { handler() }
    }
}

extension FeedController.State {
    /// Preserves the position of the first visible row when the list changes. At the top of a sorted list the new first rows become visible instead.
    fileprivate mutating func adjustViewport(to snapshot: FeedSnapshot<F.Reference>) {
        guard let top = viewport?.visible.lowerBound, top > 0 || query == nil,
            let place = self.snapshot.nearestCommonRow(to: top, in: snapshot)
        else { return }
        viewport = viewport?.moved(by: place.there - place.here)
    }
}
