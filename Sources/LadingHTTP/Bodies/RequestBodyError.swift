public import Foundation

/// Why a body could not be sent, before the network had anything to do with it.
public enum RequestBodyError: Error, Hashable {
    /// There is no file at this path.
    case fileNotFound(String)
    /// What is at this path is a folder or a device.
    case notRegularFile(String)
    /// A file cannot be read; with the number of the system's error.
    case unreadable(String, code: Int32)
    /// A file has this many bytes, fewer than were to be sent of it.
    case outOfRange(String, size: Int)
    /// A body had at least this many bytes, or ended after so many, and other than it announced.
    case wrongLength(Int, announced: Int)
    /// A body is longer than the bound, in bytes.
    case tooLong(limit: Int)
}

extension RequestBodyError: LocalizedError, CustomStringConvertible {
    /// What went wrong, in one line for people.
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .fileNotFound(let path): "there is no file \(path)"
        case .notRegularFile(let path): "\(path) is no file"
        case .unreadable(let path, let code): "cannot read \(path): \(String(cString: strerror(code)))"
        case .outOfRange(let path, let size): "\(path) ends after \(size) bytes"
        case .wrongLength(let count, let announced): "the body has \(count) bytes where \(announced) were announced"
        case .tooLong(let limit): "the body is longer than \(limit.formatted(.byteCount(style: .memory)))"
        }
    }
}

extension RequestBodyError {
    /// What an error of the system says of a file.
    init(_ code: Int32, at path: String) {
        self = code == ENOENT || code == ENOTDIR ? .fileNotFound(path) : .unreadable(path, code: code)
    }
}
