import LadingOperations
import Synchronization
import Timing

// MARK: - Rows in scope

extension FeedController {
    /// Sets the visible rows, and permits the requests of all rows again.
    func setViewport(_ viewport: Viewport, observing observed: Range<Int>?, _ state: inout State) {
        (state.viewport, state.observedRange) = (viewport, observed)
        state.requests = RowRequests()
        updatePlanner(&state)
        if state.isAtEndOfMatches, state.indexing.isDone { planIndexing(&state) }
    }

    /// Sets the visible rows: those from the first to the last of some rows in the list shown now. The viewport remains if it has none of
    /// them.
    func setVisibleRows(_ ids: Set<ID>) {
        change { state in
            let indices = ids.compactMap(state.snapshot.index(of:))
            guard let first = indices.min(), let last = indices.max() else { return }
            setViewport(Viewport(visible: first..<(last + 1)), observing: nil, &state)
        }
    }

    /// Plans the rows in view, unless the list shown is one before a refresh, whose references may be outdated.
    func updatePlanner(_ state: inout State) {
        guard let viewport = state.viewport else { return }
        if !state.needsRowReload { planRows(of: viewport, &state) }
        cache.observe(state.observedRange ?? viewport.visible, of: state.snapshot, by: self)
    }

    /// Notifies the planner of the rows in view and of those that are missing.
    private func planRows(of viewport: Viewport, _ state: inout State) {
        let snapshot = state.snapshot
        let now = time.elapsed()
        let missing = cache.missing(state.planner.scope(of: viewport, at: now), of: snapshot)
        // Stored rows are read from the archive before the server is requested.
        let stored = cache.idsToRestore(missing, of: snapshot)
        let unreadIDs = stored.filter { !state.archiveReads.rows.contains($0) && state.requests.mayRead($0) }
        if !unreadIDs.isEmpty { scheduleRead(.rows(unreadIDs), &state) }
        let storedIDs = Set(stored)
        let loadable = missing.filter { index in
            let id = snapshot.references[index].id
            return !storedIDs.contains(id) && state.requests.mayLoad(id)
        }
        recordKnown(viewport.visible, &state)
        handle(.viewport(viewport, missing: loadable, at: now), &state)
    }

    /// Records the visible rows that need no operation in the trace.
    private func recordKnown(_ visible: Range<Int>, _ state: inout State) {
        let ids = state.snapshot.references(in: visible).map(\.id)
        let known = ids.filter { !state.lastVisibleIDs.contains($0) && cache.isCurrent($0) }
        state.lastVisibleIDs = Set(ids)
        if !known.isEmpty { state.effects.append(.traceKnown(known)) }
    }

    func load(_ id: ID, _ priority: OperationPriority) {
        guard let (operation, start) = makeLoadOperation(for: id) else { return }
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.rowLoads[id] = RowLoad(operation: operation, startedAt: time.elapsed())
            return true
        }
        guard isStarted else { return }
        notify(FeedUpdate(rows: [id]))
        operation.onRetry { [weak self] _ in self?.notify(FeedUpdate(rows: [id])) }
        operation.onResult { [weak self] result in
            self?.rowLoadEnded(id, operation, result, start)
        }
        queue.submit(operation, priority: priority, for: consumer, noOlderThan: start.generation.noOlderThan)
    }

    /// Returns the operation that loads a row; nil if the list shown is one before a refresh, with whose list the rows are planned again.
    private func makeLoadOperation(for id: ID) -> (BackendOperation<F.Row>, FeedCache<F>.LoadStart)? {
        let start = cache.loadStart
        let (snapshot, isCurrent) = state.withLock {
            ($0.snapshot, $0.generation == start.generation.number && !$0.needsRowReload)
        }
        guard isCurrent, let index = snapshot.index(of: id) else { return nil }
        return (feed.load(snapshot.references[index]), start)
    }

    private func rowLoadEnded(
        _ id: ID, _ operation: BackendOperation<F.Row>, _ result: Result<F.Row, any Error>, _ start: FeedCache<F>.LoadStart
    ) {
        // The row is cached even if the load was cancelled meanwhile.
        if case .success(let row) = result { cache.store(row, for: id, fetchEpoch: queue.epoch(of: operation), start) }
        change { state in
            guard let loading = state.rowLoads[id], loading.operation == operation else { return }
            state.rowLoads[id] = nil
            switch result {
            case .success:
                state.requests.recordLoad(of: id)
                handle(.loaded(id, after: time.elapsed() - loading.startedAt), &state)
                if state.query != nil {
                    state.handleIndexing(.serverResponded)
                    state.handleEvaluation(.schedule(after: Self.evaluationInterval))
                }
            case .failure(is CancellationError):
                state.requests.recordLoad(of: id)
                handle(.cancelled(id), &state)
            case .failure(let error):
                handle(.failed(id, error), &state)
                state.effects.append(.report(error))
            }
            state.post(FeedUpdate(rows: [id]))
            // Once all rows in view are loaded, prefetching may start.
            if state.rowLoads.isEmpty, state.viewport?.rowsPerSecond == 0 { updatePlanner(&state) }
        }
    }

    func cancel(_ id: ID) {
        guard let loading = state.withLock({ $0.rowLoads.removeValue(forKey: id) }) else { return }
        // A nearly complete load continues in the background, and its row is cached.
        if loading.operation.erased.isFinishing { loading.operation.prioritize(.background) } else { loading.operation.cancel() }
        notify(FeedUpdate(rows: [id]))
    }
}

// MARK: - Rest

extension FeedController {
    /// Treats the viewport as at rest after a delay, unless another viewport is reported first.
    func scheduleRest(after duration: Duration) {
        let deadline = time.elapsed() + duration
        state.withLock { state in
            state.restDeadline = deadline
            guard state.restTimer == nil, !state.isStopped else { return }
            state.restTimer = queue.task { [weak self, time] in
                var next: Duration? = deadline
                while let due = next, (try? await time.sleep(due)) != nil {
                    next = self?.handleRestTimer()
                }
            }
        }
    }

    /// Treats the viewport as at rest if the deadline has passed; returns the deadline otherwise.
    private func handleRestTimer() -> Duration? {
        let deadline = state.withLock { $0.restDeadline }
        if let deadline, deadline > time.elapsed() { return deadline }
        change { state in
            state.restTimer = nil
            state.viewport = state.viewport?.atRest
            updatePlanner(&state)
        }
        return nil
    }
}

// MARK: - Rows changed by others

extension FeedController: FeedCacheObserver {
    /// Notifies the observer without locking the state, because one row may be on thousands of screens.
    func rowsChanged(_ update: FeedUpdate<ID>) { notify(update) }
}
