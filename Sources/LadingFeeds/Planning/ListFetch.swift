import Decisions
import LadingOperations

/// The fetch of the list by one screen, with the state and the error that the screen shows. A synchronous value.
///
/// | event | valid | condition | state | error | effect |
/// |---|---|---|---|---|---|
/// | `start` | always | | loading | same | `cancel` of an earlier fetch |
/// | `willRetry` | while fetching | | loading | that of the attempt | |
/// | `succeeded` | while fetching | | loaded | none | |
/// | `failed` | while fetching | | failed | that of the fetch | `report` |
/// | `cancelled` | while fetching | an error is shown | failed | same | |
/// | | | otherwise, a list is known | loaded | none | |
/// | | | otherwise, for the first time | loading | none | `fetchAgain` |
/// | | | otherwise | failed | the cancellation | `report` |
/// | `fetchedByOther` | between fetches | | loaded | none | |
/// | `retryFailure` | between fetches | an error is shown | failed | none | `fetchAgain` |
struct ListFetch<F: Feed>: Decision, Sendable {
    enum Event: Sendable {
        /// The fetch by this operation begins, instead of an earlier one.
        case start(BackendOperation<F.List>)
        /// An attempt has failed, and another one follows.
        case willRetry(any Error)
        case succeeded
        case failed(any Error)
        /// Others have cancelled the fetch.
        case cancelled(isListKnown: Bool)
        /// Another screen has fetched the list.
        case fetchedByOther
        /// The list may be fetched again if the last fetch failed.
        case retryFailure
    }

    enum Effect: Sendable {
        case cancel(BackendOperation<F.List>)
        case fetchAgain
        /// Report that the list failed and can be retried.
        case report(any Error)
    }

    /// The operation that fetches the list; nil between fetches.
    private(set) var operation: BackendOperation<F.List>?
    private(set) var state: FeedList<F.Reference>.State
    /// The error of the last attempt; nil after a success.
    private(set) var failure: (any Error)?
    /// Whether a cancelled fetch of the first list was repeated, since the last success or failure.
    private var isRepeated = false

    init(isListKnown: Bool) {
        state = isListKnown ? .loaded : .loading
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        guard isValid(event) else { return }
        switch event {
        case .start(let started):
            if let operation { effects.append(.cancel(operation)) }
            (operation, state) = (started, .loading)
        case .willRetry(let error): failure = error
        case .succeeded:
            (operation, isRepeated) = (nil, false)
            (state, failure) = (.loaded, nil)
        case .failed(let error): fail(error, &effects)
        case .cancelled(let isListKnown): cancel(isListKnown: isListKnown, &effects)
        case .fetchedByOther: (state, failure) = (.loaded, nil)
        case .retryFailure:
            guard failure != nil else { return }
            failure = nil
            effects.append(.fetchAgain)
        }
    }

    /// Ends a fetch without a change of what is shown, and returns its operation for the caller to cancel.
    mutating func stop() -> BackendOperation<F.List>? {
        defer { operation = nil }
        return operation
    }

    private func isValid(_ event: Event) -> Bool {
        switch event {
        case .start: true
        case .willRetry, .succeeded, .failed, .cancelled: operation != nil
        case .fetchedByOther, .retryFailure: operation == nil
        }
    }

    private mutating func fail(_ error: any Error, _ effects: inout [Effect]) {
        (operation, isRepeated) = (nil, false)
        (state, failure) = (.failed, error)
        effects.append(.report(error))
    }

    /// Without a list, a cancelled fetch is repeated once, and then fails: the list would otherwise stay in the loading state.
    private mutating func cancel(isListKnown: Bool, _ effects: inout [Effect]) {
        operation = nil
        if failure != nil {
            state = .failed
        } else if isListKnown {
            state = .loaded
        } else if !isRepeated {
            isRepeated = true
            effects.append(.fetchAgain)
        } else {
            fail(CancellationError(), &effects)
        }
    }
}
