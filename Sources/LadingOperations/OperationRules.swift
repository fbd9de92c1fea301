/// What else holds for an operation beside what it depends on: when it may start, what it must not run together with, what follows a failure.
public struct OperationRules: Sendable {
    /// What must hold before it starts, checked one after the other once everything it depends on has ended.
    public var conditions: [OperationCondition]
    /// Of all operations of a queue with an equal exclusion, in whichever lanes, one runs at a time.
    public var exclusionGroup: String?
    /// Whether failed work is tried again, and when; nil for never.
    public var retry: OperationRetry?

    public init(conditions: [OperationCondition] = [], exclusionGroup: String? = nil, retry: OperationRetry? = nil) {
        self.conditions = conditions
        self.exclusionGroup = exclusionGroup
        self.retry = retry
    }
}

/// Something that must hold before an operation starts.
///
/// An operation whose conditions are being checked holds no slot. Cancelling it cancels the check.
///
/// ```swift
/// let signedIn = OperationCondition("signed in") { guard await account.isSignedIn else { throw AccountError.signedOut } }
/// ```
public struct OperationCondition: Sendable {
    /// What it is, for people: `signed in`.
    public let name: String
    let check: @Sendable () async throws -> Void

    /// - Parameter whenMet: Returns when the operation may run, suspends for as long as it has to wait, and throws the reason when it must not
    ///   run; the operation then fails with that error.
    public init(_ name: String, check: nonisolated(nonsending) @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }
}

/// Decides whether failed work is tried again. An operation that waits for its next attempt holds no slot.
public struct OperationRetry: Sendable {
    /// How long to wait after an attempt failed with this error, attempts being counted from 1; nil when the failure is final.
    public var delay: @Sendable (_ error: any Error, _ attempt: Int) -> Duration?

    public init(delay: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Duration?) {
        self.delay = delay
    }
}
