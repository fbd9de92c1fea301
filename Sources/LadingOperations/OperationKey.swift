/// What makes two wishes the same: whose it is, what is done to which subject, and in which variant.
///
/// Operations with equal keys and equal value types share one flight while it lasts. An operation that must never be shared, such as an
/// unsafe HTTP method, has no key.
public struct OperationKey: Hashable, Sendable {
    /// Whose wish it is: work is never shared across partitions. Empty for what everybody may see.
    public var partition: String
    /// What is done, such as an HTTP method or a step like `parse`.
    public var verb: String
    /// What it is done to, such as an absolute URL.
    public var subject: String
    /// What else tells two wishes apart: headers the reply varies by, a digest of the body.
    public var variant: String

    public init(partition: String = "", verb: String, subject: String, variant: String = "") {
        self.partition = partition
        self.verb = verb
        self.subject = subject
        self.variant = variant
    }
}
