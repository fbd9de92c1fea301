public import Foundation

/// A part of a file, from one byte to another.
struct FileSlice: Hashable, Sendable {
    let path: String
    let range: Range<Int>
    /// Whether it was the whole file when it was made.
    let isWhole: Bool
}

extension RequestBody {
    /// The bytes of a file, or a range of them, read piece by piece each time the body is sent.
    ///
    /// The file is looked at now, for its size, and read when it is sent. One that has become shorter by then fails with
    /// `RequestBodyError.outOfRange`; what was added behind the range is not sent.
    ///
    /// - Throws: `RequestBodyError`, when there is no such file or the range lies beyond its end.
    public static func file(_ url: URL, range: Range<Int>? = nil) throws -> RequestBody {
        let path = url.path(percentEncoded: false)
        let size = try FileStatus(path: path).size
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else { throw RequestBodyError.outOfRange(path, size: size) }
        return RequestBody(.file(FileSlice(path: path, range: range, isWhole: range == 0..<size)), length: range.count)
    }
}

/// What is known of a file before it is opened.
private struct FileStatus {
    let size: Int

    init(path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw RequestBodyError(errno, at: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw RequestBodyError.notRegularFile(path) }
        size = Int(status.st_size)
    }
}
