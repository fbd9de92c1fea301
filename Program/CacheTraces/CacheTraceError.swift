public import Foundation

/// An error of reading a trace.
public enum CacheTraceError: Error, CustomStringConvertible {
    case unreadable(URL, String)
    /// The compressed data is truncated.
    case truncated(URL)
    /// The compressed data cannot be inflated.
    case corrupt(URL)
    case keyTooLong(URL)
    case empty(URL)

    public var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(name(file)): \(reason)"
        case .truncated(let file): "\(name(file)) is truncated: its compressed data is incomplete"
        case .corrupt(let file): "\(name(file)) is corrupt: its data cannot be decompressed"
        case .keyTooLong(let file): "\(name(file)) is not a trace: a line has more than \(CacheTrace.keyLimit) bytes"
        case .empty(let file): "\(name(file)) contains no keys: a trace has one key per line"
        }
    }

    private func name(_ file: URL) -> String { file.path(percentEncoded: false) }
}
