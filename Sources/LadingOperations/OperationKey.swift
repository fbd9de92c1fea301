import TextComparison

/// The identity of an operation: its partition, verb, subject and variant.
///
/// Operations with equal keys and equal value types share one flight while it lasts. An operation that must not be shared, such as an
/// unsafe HTTP method, has no key.
///
/// ```swift
/// let key = OperationKey.action("read", on: file.path)
/// let read = BackendOperation("read", key: key, lane: .disk) { try Data(contentsOf: file) }
/// let parse = BackendOperation("parse", key: .step("parse", of: key), lane: .cpu, after: read) { data in try parsed(data) }
/// ```
public struct OperationKey: Hashable, Sendable {
    /// The user or session whose data the operation accesses; flights are never shared across partitions. Empty for public data.
    package let partition: String
    /// The action, such as an HTTP method or a step like `parse`.
    package let verb: String
    /// The object of the action, such as an absolute URL.
    package let subject: String
    /// Further distinctions, such as headers that the response varies by or a digest of the body.
    package let variant: String

    package init(partition: String = "", verb: String, subject: String, variant: String = "") {
        self.partition = partition
        self.verb = verb
        self.subject = subject
        self.variant = variant
    }

    /// Whether the bytes are equal: two users or URLs that Unicode regards as equivalent are two for a server.
    public static func == (one: OperationKey, other: OperationKey) -> Bool {
        one.partition.hasSameBytes(as: other.partition) && one.verb.hasSameBytes(as: other.verb)
            && one.subject.hasSameBytes(as: other.subject) && one.variant.hasSameBytes(as: other.variant)
    }

    /// Returns the key of an action on a subject, such as a file or a row.
    ///
    /// - Parameters:
    ///   - partition: The user or session whose data the action accesses; empty for public data.
    ///   - variant: Further distinctions, such as a size.
    public static func action(_ verb: String, on subject: String, partition: String = "", variant: String = "") -> OperationKey {
        OperationKey(partition: partition, verb: verb, subject: subject, variant: variant)
    }

    /// Returns the key of a step that processes the value of another operation, with the partition, subject and variant of its key.
    public static func step(_ verb: String, of key: OperationKey) -> OperationKey {
        OperationKey(partition: key.partition, verb: "\(verb) \(key.verb)", subject: key.subject, variant: key.variant)
    }
}
