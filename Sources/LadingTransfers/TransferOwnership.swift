import Synchronization

/// The exclusive right to run the transfers of a journal.
///
/// A journal grants it to one `FileTransfers` at a time, in this process or in another. It ends with `release()`, with the last reference
/// to it, and with the process.
public final class TransferOwnership: Sendable {
    private let onRelease: Mutex<(@Sendable () -> Void)?>

    /// Creates an ownership, which is released by `release` or at deinitialization.
    ///
    /// - Parameter onRelease: Called once.
    public init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = Mutex(onRelease)
    }

    deinit { release() }

    /// Releases the journal for another `FileTransfers`; a second call does nothing.
    public func release() {
        onRelease.withLock { $0.take() }?()
    }
}

/// The ownership of a journal, which is acquired once and released once.
final class JournalOwner: Sendable {
    private enum State {
        case unowned
        case owned(TransferOwnership)
        case released
    }

    private let journal: any TransferJournal
    private let state = Mutex(State.unowned)

    init(_ journal: any TransferJournal) {
        self.journal = journal
    }

    /// Acquires the ownership unless it is held; does nothing once it has been released.
    ///
    /// The lock is held meanwhile, so that of two concurrent calls the second does not fail because of the first.
    /// - Throws: `TransferError.journalInUse`, and the errors of the journal.
    func acquire() throws {
        try state.withLock { state in
            guard case .unowned = state else { return }
            state = .owned(try journal.acquireOwnership())
        }
    }

    func release() {
        let former = state.withLock { state in
            defer { state = .released }
            return state
        }
        if case .owned(let ownership) = former { ownership.release() }
    }
}
