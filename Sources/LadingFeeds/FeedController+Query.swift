import LadingOperations
import Synchronization
import Timing

extension FeedController {
    /// Evaluates the query after a delay, with the rows known by then.
    func startEvaluationTimer(_ number: Int, after delay: Duration) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.evaluationTask?.cancel()
            state.evaluationTask = queue.task { [weak self, time] in
                if delay > .zero { guard (try? await time.sleep(time.elapsed() + delay)) != nil else { return } }
                await self?.evaluateQuery(number)
            }
        }
    }

    private func evaluateQuery(_ number: Int) async {
        guard let (query, generation, shown) = beginEvaluation(number) else { return }
        let result = await results(of: query)
        let found = try? result.get()
        // Compared outside of the lock that visible rows take, because the lists may be long.
        let isInSameOrder = found?.isInSameOrder(as: shown) ?? false
        change { state in
            // Others may have cancelled the evaluation.
            let isCancelled = if case .failure(is CancellationError) = result { true } else { false }
            state.evaluationTask = nil
            state.handleEvaluation(.ended(repeatAfter: isCancelled ? Self.evaluationInterval : nil))
            // Without a query the list of the cache is shown, which may have changed since the evaluation began.
            guard state.query == query, let snapshot = query == nil ? cache.snapshot : found else { return }
            // The result may be that of the list before a refresh, whose own evaluation follows.
            guard query == nil || state.generation == generation else { return }
            // Both lists may have been replaced since the comparison.
            let isComparisonValid = snapshot === found && state.snapshot === shown
            let isReordered = snapshot !== state.snapshot && !(isInSameOrder && isComparisonValid)
            applyQueryResults(snapshot, isReordered: isReordered, &state)
        }
    }

    /// Begins an evaluation. Returns the query, the refresh and the list shown at its start; nil if its timer was replaced.
    private func beginEvaluation(_ number: Int) -> (F.Query?, Int, FeedSnapshot<F.Reference>)? {
        state.withLock { state in
            state.handleEvaluation(.timerFired(number: number))
            guard state.queryEvaluation.isRunning(number: number) else { return nil }
            return (state.query, state.generation, state.snapshot)
        }
    }

    /// Returns the list with a query applied, or in server order without one; nil without a list.
    private func results(of query: F.Query?) async -> Result<FeedSnapshot<F.Reference>?, any Error> {
        guard let query else { return .success(cache.snapshot) }
        let work = BackendOperation("arrange", lane: .cpu) { [cache] in cache.results(of: query) }
        do {
            return .success(try await queue.value(of: work, priority: .visible, for: consumer))
        } catch {
            return .failure(error)
        }
    }

    private func applyQueryResults(_ snapshot: FeedSnapshot<F.Reference>, isReordered: Bool, _ state: inout State) {
        let isOwnChange = state.appliedQuery != state.query
        state.appliedQuery = state.query
        if !isOwnChange, !isReordered {
            state.snapshot = snapshot
            if state.needsRowReload {
                state.needsRowReload = false
                handle(.list(snapshot), &state)
                updatePlanner(&state)
            }
            state.post(FeedUpdate(isListChanged: true))
        } else {
            replaceList(with: snapshot, isQueryChange: isOwnChange, &state)
        }
        if state.query != nil { planIndexing(&state) }
    }

    /// Queues unknown rows for indexing, with a further step while the end of the matching rows is in view.
    func planIndexing(_ state: inout State) {
        // Stored rows are read from the archive and not loaded.
        guard cache.areFieldsRestored else { return }
        if state.isAtEndOfMatches { state.handleIndexing(.extend) }
        // The unknown rows are at the end of the list shown: a search of all rows would hold the lock that visible rows take.
        let done = state.indexing.done
        let unknown = state.snapshot.unknownReferences.lazy.map(\.id).filter { !done.contains($0) }
        state.handleIndexing(.begin(cache.idsWithoutFields(among: unknown, limit: FeedIndexing<ID>.rowLimit)))
    }

    /// Loads a row in the background so that it can be filtered and sorted.
    func loadForIndexing(_ id: ID) {
        // Read before the list, so that no reference before a refresh counts as one after it.
        let start = cache.loadStart
        guard let snapshot = cache.snapshot, let index = snapshot.index(of: id) else {
            // The row was removed from the list.
            return change { $0.handleIndexing(.ended(id)) }
        }
        let operation = feed.load(snapshot.references[index])
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.indexingOperations[id] = operation
            return true
        }
        guard isStarted else { return }
        operation.onResult { [weak self] result in
            self?.indexingLoadEnded(id, operation, result, start)
        }
        queue.submit(operation, priority: .background, for: consumer, noOlderThan: start.generation.noOlderThan)
    }

    private func indexingLoadEnded(
        _ id: ID, _ operation: BackendOperation<F.Row>, _ result: Result<F.Row, any Error>, _ start: FeedCache<F>.LoadStart
    ) {
        if case .success(let row) = result { cache.store(row, for: id, fetchEpoch: queue.epoch(of: operation), start) }
        change { state in
            guard state.indexingOperations[id] == operation else { return }
            state.indexingOperations[id] = nil
            switch result {
            case .success:
                state.handleIndexing(.ended(id))
            case .failure(let error):
                state.handleIndexing(.failed(id, error))
                if !(error is CancellationError) { state.effects.append(.report(error)) }
            }
            let delay = state.indexing.isDone ? Duration.zero : Self.evaluationInterval
            state.handleEvaluation(.schedule(after: delay))
        }
    }
}
