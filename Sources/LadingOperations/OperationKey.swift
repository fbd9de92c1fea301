/// The identity of an operation: its partition, verb, subject and variant.
///
/// Operations with equal keys and equal value types share one flight while it lasts. An operation that must not be shared, such as an
/// unsafe HTTP method, has no key.
public struct OperationKey: Hashable, Sendable {
    /// The user or session whose data the operation accesses; flights are never shared across partitions. Empty for public data.
    public var partition: String
    /// The action, such as an HTTP method or a step like `parse`.
    public var verb: String
    /// The object of the action, such as an absolute URL.
    public var subject: String
    /// Further distinctions, such as headers that the response varies by or a digest of the body.
    public var variant: String

    public init(partition: String = "", verb: String, subject: String, variant: String = "") {
        self.partition = partition
        self.verb = verb
        self.subject = subject
        self.variant = variant
    }
}
