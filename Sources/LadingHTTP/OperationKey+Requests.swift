public import Foundation
public import LadingOperations

extension OperationKey {
    /// Returns the key of a GET request for a URL without header fields.
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; flights are never shared across partitions.
    ///   - variant: Further distinctions, such as a header field that the response varies by.
    public static func get(_ url: URL, partition: String = "", variant: String = "") -> OperationKey {
        .action("GET", on: url.absoluteString, partition: partition, variant: variant)
    }

    /// Returns the key that a client gives the operation of a request; nil for requests that never share a flight.
    ///
    /// Only safe requests without a body have one (RFC 9110 §9.2.1). It distinguishes header fields, the trusted host and the address policy.
    /// - Parameter partition: The owner of the request; flights are never shared across partitions.
    public static func request(_ message: RequestMessage, partition: String = "") -> OperationKey? {
        message.key(partition: partition)
    }
}
