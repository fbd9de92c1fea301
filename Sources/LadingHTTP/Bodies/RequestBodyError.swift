public import Foundation

/// A failure of a request body itself, independent of the network.
public enum RequestBodyError: Error, Hashable {
    /// No file exists at this path.
    case fileNotFound(String)
    /// The path leads to a folder or a device.
    case notRegularFile(String)
    /// The file cannot be read; `code` is the system's `errno`.
    case unreadable(String, code: Int32)
    /// The file has this many bytes, fewer than the requested range needs.
    case outOfRange(String, size: Int)
    /// The length differs from the announced one; the count is a minimum when the body was too long.
    case wrongLength(Int, announced: Int)
    /// The body is longer than the limit, in bytes.
    case tooLong(limit: Int)
    /// The executor sends no body with this method.
    case unsupportedMethod(String)
}

extension RequestBodyError: LocalizedError, CustomStringConvertible {
    /// A description in one line, for users.
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .fileNotFound(let path): "\(path) does not exist: choose an existing file"
        case .notRegularFile(let path): "\(path) is not a regular file: choose a file"
        case .unreadable(let path, let code):
            "cannot read \(path) (\(String(cString: strerror(code)))): make it readable, or choose another file"
        case .outOfRange(let path, let size): "the range exceeds \(path), which has \(size) bytes"
        case .wrongLength(let count, let announced): "the body has \(count) bytes, not the announced \(announced)"
        case .tooLong(let limit): "the body exceeds the limit of \(limit.formatted(.byteCount(style: .memory)))"
        case .unsupportedMethod(let method): "the executor sends no body with \(method): use another method or executor"
        }
    }
}

extension RequestBodyError {
    /// Creates the error for a system error code at a path.
    init(_ code: Int32, at path: String) {
        self = code == ENOENT || code == ENOTDIR ? .fileNotFound(path) : .unreadable(path, code: code)
    }
}
