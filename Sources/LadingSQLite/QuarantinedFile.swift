public import Foundation

/// A file that was moved aside with its logs and replaced by a new one.
public struct QuarantinedFile: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Hashable, Sendable {
        case corrupt = "damaged"
        /// The file was written by a later release.
        case newer
    }

    /// The new location of the file.
    public let file: URL
    public let reason: Reason

    public var description: String {
        switch reason {
        case .corrupt: "the store was damaged: moved it to \(file.path) and created a new one"
        case .newer: "the store was written by a newer release: moved it to \(file.path) and created a new one"
        }
    }
}
