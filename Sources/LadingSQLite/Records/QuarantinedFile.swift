public import Foundation

/// A file that was moved out of the way, with its logs, so that a new one could be begun; its text says so.
public struct QuarantinedFile: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Hashable, Sendable {
        case damaged
        /// A later release has written it.
        case newer
    }

    /// Where it lies now.
    public let file: URL
    public let reason: Reason

    public var description: String {
        switch reason {
        case .damaged: "what was stored was damaged: it lies in \(file.path) now, and a new store was begun"
        case .newer: "what was stored was written by a newer release: it lies in \(file.path) now, and a new store was begun"
        }
    }
}
