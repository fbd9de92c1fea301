import Foundation

/// A reader of a file slice in chunks, which closes the file on deinitialization.
final class FileSliceReader {
    private let slice: FileSlice
    private let descriptor: Int32
    private var offset: Int

    init(_ slice: FileSlice) throws {
        self.slice = slice
        offset = slice.range.lowerBound
        descriptor = open(slice.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RequestBodyError(errno, at: slice.path) }
    }

    deinit { close(descriptor) }

    /// Returns the current size of the whole file, in bytes.
    func fileSize() throws -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw RequestBodyError(errno, at: slice.path) }
        return Int(status.st_size)
    }

    /// Returns the next bytes; nil at the end of the slice.
    func next(atMost limit: Int) throws -> [UInt8]? {
        let byteCount = min(limit, slice.range.upperBound - offset)
        guard byteCount > 0 else { return nil }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            var result: Int
            repeat { result = pread(descriptor, buffer.baseAddress, byteCount, off_t(offset)) } while result < 0 && errno == EINTR
            if result < 0 { code = errno }
            count = max(0, result)
        }
        guard code == 0 else { throw RequestBodyError(code, at: slice.path) }
        guard !bytes.isEmpty else { throw RequestBodyError.outOfRange(slice.path, size: offset) }
        offset += bytes.count
        return bytes
    }
}
