import LadingOperations
import Synchronization

extension FeedController {
    /// Whether the list or rows in view are being read that an earlier process has stored: that takes no network, and no time worth mentioning.
    public var isRestoring: Bool { state.withLock { $0.reading.isUnderWay } }

    func read(_ part: ArchiveReading<ID>.Part, _ state: inout State) {
        if state.reading.begin(part) { state.effects.append(.read(part)) }
    }

    func read(_ part: ArchiveReading<ID>.Part) {
        let operation = operation(reading: part)
        let isStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.reading.run(operation, for: part)
            return true
        }
        guard isStarted else { return }
        queue.submit(operation, priority: .visible, for: viewer)
    }

    private func operation(reading part: ArchiveReading<ID>.Part) -> AnyOperation {
        switch part {
        case .list:
            let operation = memory.readingList()
            operation.onResult { [weak self, memory] result in
                if case .success(let list) = result { memory.restore(list) }
                self?.ended(part)
            }
            return operation.erased
        case .facts:
            let operation = memory.readingFacts()
            operation.onResult { [weak self] _ in self?.ended(part) }
            return operation.erased
        case .rows(let ids):
            let operation = memory.readingRows(ids)
            operation.onResult { [weak self] _ in self?.ended(part) }
            return operation.erased
        }
    }

    /// What the archive does not have is loaded from now on.
    private func ended(_ part: ArchiveReading<ID>.Part) {
        change { state in
            state.reading.end(part)
            switch part {
            case .list: state.post(FeedUpdate(isListChanged: true))
            case .facts: if state.arrangement != nil { state.effects.append(.rearrange(after: .zero)) }
            case .rows(let ids):
                look(&state)
                state.post(FeedUpdate(rows: Set(ids)))
            }
        }
    }

    func factsChanged() {
        change { state in
            if state.arrangement != nil { state.effects.append(.rearrange(after: Self.rearrangeInterval)) }
        }
    }
}
