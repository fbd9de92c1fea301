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

    /// Creates a value, for tests and previews.
    public init(file: URL, reason: Reason) {
        (self.file, self.reason) = (file, reason)
    }

    public var description: String {
        switch reason {
        case .corrupt: "the store was damaged: moved it to \(file.path) and created a new one"
        case .newer: "the store was written by a newer release: moved it to \(file.path) and created a new one"
        }
    }
}
