public import Foundation

/// A byte range of a file.
package struct FileSlice: Hashable, Sendable {
    let path: String
    let range: Range<Int>
    /// Whether the range was the whole file when the slice was created.
    let isWhole: Bool
}

extension RequestBody {
    /// Returns a body with the bytes of a file, or a range of them, read in chunks each time the body is sent.
    ///
    /// The size of the file is read now, its content when the body is sent. A file that has become shorter by then fails with
    /// `RequestBodyError.outOfRange`; bytes appended after the range are not sent.
    ///
    /// - Parameter range: The bytes to send, counted from 0; nil for the whole file.
    /// - Throws: `RequestBodyError` when there is no such file, it is no regular file, or the range lies beyond its end.
    public static func file(_ url: URL, range: Range<Int>? = nil) throws -> RequestBody {
        let path = url.path(percentEncoded: false)
        let size = try FileStatus(path: path).size
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else { throw RequestBodyError.outOfRange(path, size: size) }
        return RequestBody(.file(FileSlice(path: path, range: range, isWhole: range == 0..<size)), length: range.count)
    }
}

/// The metadata of a file that is not open.
private struct FileStatus {
    let size: Int

    init(path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw RequestBodyError(errno, at: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw RequestBodyError.notRegularFile(path) }
        size = Int(status.st_size)
    }
}
