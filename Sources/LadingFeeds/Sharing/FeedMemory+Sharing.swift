import Synchronization

extension FeedMemory {
    /// From now on a watcher is told of the rows in a range, instead of those it was told of before.
    func watch(_ range: Range<Int>, of snapshot: FeedSnapshot<F.Reference>, by watcher: any FeedMemoryWatcher<ID>) {
        state.withLock { $0.watches.watch(range, of: snapshot, by: watcher) }
    }

    func unwatch(_ watcher: ObjectIdentifier) {
        state.withLock { $0.watches.unwatch(watcher) }
    }

    /// Counts what has been learnt: another number, other arrangements.
    var knowledge: Int { state.withLock { $0.knowledge } }

    /// The list in an arrangement, with what is known now; nil before there is a list.
    ///
    /// It takes time in proportion to the list, unless somebody else has just asked for the same.
    func arranged(by arrangement: F.Arrangement) -> FeedSnapshot<F.Reference>? {
        let (made, source, facts, knowledge) = state.withLock { state in
            let made = state.arranged.snapshot(of: arrangement, knowing: state.knowledge)
            return (made, state.snapshot, made == nil ? state.facts : [:], state.knowledge)
        }
        if let made { return made }
        guard let arranged = source?.arranged(by: arrangement, knowing: facts) else { return nil }
        state.withLock { $0.arranged.keep(arranged, of: arrangement, knowing: knowledge) }
        return arranged
    }

    /// The identities that nothing is known of, in the order of the list.
    ///
    /// - Parameter others: Those that do not count.
    func unknown(atMost limit: Int, without others: Set<ID> = []) -> [ID] {
        let (source, facts) = state.withLock { ($0.snapshot, $0.facts) }
        guard let source else { return [] }
        return Array(source.references.lazy.map(\.id).filter { facts[$0] == nil && !others.contains($0) }.prefix(limit))
    }

    /// Those of some identities that are in the list and that nothing is known of.
    func unknown(among ids: [ID]) -> [ID] {
        ids.isEmpty ? [] : state.withLock { state in ids.filter { state.facts[$0] == nil && state.snapshot?.index(of: $0) != nil } }
    }
}
