/// The conditions, the exclusion group and the retry policy of an operation.
public struct OperationRules: Sendable {
    /// The conditions for starting, checked in order after all dependencies have completed.
    package var conditions: [OperationCondition]
    /// The name of a group of operations, in any lanes of a queue, of which one runs at a time.
    package var exclusionGroup: String?
    /// The policy for retrying failed work; nil for no retries.
    package var retry: OperationRetry?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - conditions: The conditions, checked in order after all dependencies have completed.
    ///   - exclusionGroup: The name of a group of operations, in any lanes of a queue, of which one runs at a time; nil for none.
    ///   - retry: The policy for retrying failed work; nil for no retries.
    public init(conditions: [OperationCondition] = [], exclusionGroup: String? = nil, retry: OperationRetry? = nil) {
        self.conditions = conditions
        self.exclusionGroup = exclusionGroup
        self.retry = retry
    }
}

/// A precondition of an operation.
///
/// An operation occupies no slot while its conditions are checked. Cancelling it cancels the check.
///
/// ```swift
/// let signedIn = OperationCondition("signed in") { guard await account.isSignedIn else { throw AccountError.signedOut } }
/// ```
public struct OperationCondition: Sendable {
    /// The name for logs: `signed in`.
    package let name: String
    let check: @Sendable () async throws -> Void

    /// Creates a condition.
    ///
    /// - Parameter check: Returns when the operation may run, suspends while it has to wait, and throws when it must not run. The operation
    ///   then fails with that error.
    public init(_ name: String, check: nonisolated(nonsending) @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }
}

/// A policy that decides whether failed work is retried. An operation that awaits its retry occupies no slot.
public struct OperationRetry: Sendable {
    /// Returns the delay before the next attempt, where attempts count from 1; nil when the failure is final.
    package var delay: @Sendable (_ error: any Error, _ attempt: Int) -> Duration?

    /// Creates a policy.
    ///
    /// - Parameter delay: Returns the delay before the next attempt, where attempts count from 1; nil when the failure is final.
    public init(delay: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Duration?) {
        self.delay = delay
    }
}
