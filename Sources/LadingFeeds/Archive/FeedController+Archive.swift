import LadingOperations
import Synchronization

extension FeedController {
    /// Whether the stored list or stored rows in view are being read. Reading them is fast and needs no network.
    public var isRestoring: Bool { state.withLock { $0.archiveReads.isActive } }

    /// Reads the stored list, unless it was or is being read.
    func readStoredList(_ state: inout State) {
        if cache.isListRestorePending { scheduleRead(.list, &state) }
    }

    /// Reads the fields of all stored rows, unless they were or are being read.
    func readStoredFields(_ state: inout State) {
        if !cache.areFieldsRestored { scheduleRead(.fields, &state) }
    }

    func scheduleRead(_ part: ArchiveReads<ID>.Part, _ state: inout State) {
        if state.archiveReads.begin(part) { state.effects.append(.read(part)) }
    }

    func performRead(_ part: ArchiveReads<ID>.Part) {
        let operation = makeReadOperation(for: part)
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.archiveReads.setOperation(operation, for: part)
            return true
        }
        guard isStarted else { return }
        queue.submit(operation, priority: .visible, for: consumer)
    }

    private func makeReadOperation(for part: ArchiveReads<ID>.Part) -> AnyOperation {
        switch part {
        case .list:
            let operation = cache.restoreListOperation()
            operation.onResult { [weak self, cache] result in
                if case .success(let list) = result { cache.restore(list) }
                self?.readEnded(part, result)
            }
            return operation.erased
        case .fields:
            let operation = cache.restoreFieldsOperation()
            operation.onResult { [weak self] result in self?.readEnded(part, result) }
            return operation.erased
        case .rows(let ids):
            let operation = cache.restoreRowsOperation(ids)
            operation.onResult { [weak self] result in self?.readEnded(part, result) }
            return operation.erased
        }
    }

    /// Ends a read. Rows that are not in the archive or cannot be read are loaded from now on.
    private func readEnded<Value>(_ part: ArchiveReads<ID>.Part, _ result: Result<Value, any Error>) {
        change { state in
            state.archiveReads.end(part)
            let isCancelled = if case .failure(is CancellationError) = result { true } else { false }
            if state.archiveReads.shouldRepeat(part, isCancelled: isCancelled) { return scheduleRead(part, &state) }
            switch part {
            case .list: state.post(FeedUpdate(isListChanged: true))
            case .fields: if state.query != nil { state.handleEvaluation(.schedule(after: .zero)) }
            case .rows(let ids):
                if case .failure = result, !isCancelled { cache.recordMissing(ids) } else { state.requests.recordRead(of: ids) }
                updatePlanner(&state)
                state.post(FeedUpdate(rows: Set(ids)))
            }
        }
    }

    func fieldsChanged() {
        change { state in
            if state.query != nil { state.handleEvaluation(.schedule(after: Self.evaluationInterval)) }
        }
    }
}
