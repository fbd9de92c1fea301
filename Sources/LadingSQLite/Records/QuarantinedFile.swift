public import Foundation

/// A file that was moved aside with its logs and replaced by a new one.
public struct QuarantinedFile: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Hashable, Sendable {
        case damaged
        /// The file was written by a later release.
        case newer
    }

    /// The new location of the file.
    public let file: URL
    public let reason: Reason

    public var description: String {
        switch reason {
        case .damaged: "what was stored was damaged: it lies in \(file.path) now, and a new store was begun"
        case .newer: "what was stored was written by a newer release: it lies in \(file.path) now, and a new store was begun"
        }
    }
}
