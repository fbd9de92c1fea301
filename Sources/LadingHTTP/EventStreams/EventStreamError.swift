public import Foundation

/// An error in an event stream.
public enum EventStreamError: Error, Hashable {
    /// An event is longer than the limit, in bytes.
    case eventTooLong(limit: Int)
    /// The response has another media type, or none.
    case unexpectedContentType(String?)
}

extension EventStreamError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .eventTooLong(let limit): "an event exceeds the limit of \(limit.formatted(.byteCount(style: .memory)))"
        case .unexpectedContentType(let type?): "the server sent \(type) instead of an event stream"
        case .unexpectedContentType(nil): "the server sent a response without content type instead of an event stream"
        }
    }
}
