import LadingOperations
import Synchronization

// MARK: - Rows in scope

extension FeedController {
    /// Tells the planner what is in view now, and which of it is missing.
    func look(_ state: inout State) {
        guard let viewport = state.viewport else { return }
        let snapshot = state.list.snapshot
        let now = time.elapsed()
        let missing = memory.missing(state.planner.scope(of: viewport, at: now), of: snapshot)
        // A stored row is read before the server is asked for it.
        let stored = memory.restorable(missing, of: snapshot)
        let unread = stored.filter { !state.reading.rows.contains($0) }
        if !unread.isEmpty { read(.rows(unread), &state) }
        let awaited = Set(stored)
        noteKnown(viewport.visible, &state)
        decide(
            .show(
                viewport, missing: awaited.isEmpty ? missing : missing.filter { !awaited.contains(snapshot.references[$0].id) }, at: now),
            &state)
        state.failures = state.failures.filter { state.planner.hasFailed($0.key) }
        memory.watch(state.watched ?? viewport.visible, of: snapshot, by: self)
    }

    /// Those who look at a trace see why some rows need no operation.
    private func noteKnown(_ visible: Range<Int>, _ state: inout State) {
        let ids = state.list.snapshot.references(in: visible).map(\.id)
        let known = ids.filter { !state.seen.contains($0) && memory.isCurrent($0) }
        state.seen = Set(ids)
        if !known.isEmpty { state.effects.append(.noteKnown(known)) }
    }

    func load(_ id: ID, _ priority: OperationPriority) {
        guard let (operation, generation) = operation(loading: id) else { return }
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.loading[id] = Loading(operation: operation, startedAt: time.elapsed())
            return true
        }
        guard isStarted else { return }
        tell(FeedUpdate(rows: [id]))
        operation.onSetback { [weak self] _ in self?.tell(FeedUpdate(rows: [id])) }
        operation.onResult { [weak self] result in
            self?.rowEnded(id, operation, result, generation: generation.number)
        }
        queue.submit(operation, priority: priority, for: viewer, notBefore: generation.notBefore)
    }

    private func operation(loading id: ID) -> (BackendOperation<F.Row>, FeedMemory<F>.Generation)? {
        let snapshot = state.withLock { $0.list.snapshot }
        guard let index = snapshot.index(of: id) else { return nil }
        return (feed.load(snapshot.references[index]), memory.generation)
    }

    private func rowEnded(
        _ id: ID, _ operation: BackendOperation<F.Row>, _ result: Result<F.Row, any Error>, generation: Int
    ) {
        // What came in is kept even if nobody waits for it any more.
        if case .success(let row) = result { memory.store(row, for: id, fetched: operation.flightMark, generation: generation) }
        change { state in
            guard let loading = state.loading[id], loading.operation == operation else { return }
            state.loading[id] = nil
            switch result {
            case .success:
                state.failures[id] = nil
                decide(.loaded(id, after: time.elapsed() - loading.startedAt), &state)
                if state.arrangement != nil {
                    state.survey(.reachable)
                    state.effects.append(.rearrange(after: Self.rearrangeInterval))
                }
            case .failure(is CancellationError): decide(.cancelled(id), &state)
            case .failure(let error):
                state.failures[id] = error
                decide(.failed(id), &state)
                state.effects.append(.report(error))
            }
            state.post(FeedUpdate(rows: [id]))
            // With all in view there, those of the next screen may begin.
            if state.loading.isEmpty, state.viewport?.rowsPerSecond == 0 { look(&state) }
        }
    }

    func cancel(_ id: ID) {
        guard let loading = state.withLock({ $0.loading.removeValue(forKey: id) }) else { return }
        // What is nearly there comes to its end, and is kept when it is there.
        if loading.operation.erased.isNearEnd { loading.operation.prioritize(.background) } else { loading.operation.cancel() }
        tell(FeedUpdate(rows: [id]))
    }
}

// MARK: - Rest

extension FeedController {
    /// Shows the same rows at rest unless another viewport comes first.
    func expectRest(after duration: Duration) {
        let deadline = time.elapsed() + duration
        state.withLock { state in
            state.restDeadline = deadline
            guard state.resting == nil, !state.isStopped else { return }
            state.resting = queue.task { [weak self, time] in
                var next: Duration? = deadline
                while let due = next, (try? await time.sleep(due)) != nil {
                    next = self?.restIfDue()
                }
            }
        }
    }

    /// Shows the rows at rest when it is time, or else gives the time to wait for.
    private func restIfDue() -> Duration? {
        let deadline = state.withLock { $0.restDeadline }
        if let deadline, deadline > time.elapsed() { return deadline }
        change { state in
            state.resting = nil
            state.viewport = state.viewport?.atRest
            look(&state)
        }
        return nil
    }
}

// MARK: - Rows that others change

extension FeedController: FeedMemoryWatcher {
    /// Thousands of screens may be told of one row, so this takes no lock of theirs. Nothing of their state changes, only what they show.
    func rowsChanged(_ update: FeedUpdate<ID>) { tell(update) }
}
