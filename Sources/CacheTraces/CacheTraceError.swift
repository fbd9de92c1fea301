public import Foundation

/// An error of reading a trace.
public enum CacheTraceError: Error, CustomStringConvertible {
    case unreadable(URL, String)
    /// The compressed data is truncated.
    case truncated(URL)
    /// The compressed data cannot be inflated.
    case damaged(URL)
    case keyTooLong(URL)
    case empty(URL)

    public var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(name(file)): \(reason)"
        case .truncated(let file): "\(name(file)) is cut off: its compressed data ends in the middle"
        case .damaged(let file): "\(name(file)) is damaged: its compressed data cannot be unpacked"
        case .keyTooLong(let file): "\(name(file)) is no trace: a line has more than \(CacheTrace.keyLimit) bytes"
        case .empty(let file): "\(name(file)) names no keys: a trace has one on each line"
        }
    }

    private func name(_ file: URL) -> String { file.path(percentEncoded: false) }
}
