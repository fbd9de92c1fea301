import Foundation

/// The file that URLSession sends a body from: that of the body, or a temporary one, removed on deinitialization.
final class UploadFile: Sendable {
    let url: URL
    private let isTemporary: Bool

    /// Creates the file of a body that is a whole file; nil when bytes were appended to it meanwhile.
    ///
    /// - Throws: `RequestBodyError` when the file cannot be read or is shorter than announced.
    init?(of body: RequestBody) throws {
        guard case .file(let slice) = body.content, slice.isWhole else { return nil }
        let size = try FileSliceReader(slice).fileSize()
        guard size >= slice.range.count else { throw RequestBodyError.outOfRange(slice.path, size: size) }
        guard size == slice.range.count else { return nil }
        url = URL(filePath: slice.path)
        isTemporary = false
    }

    /// Writes a body to a temporary file.
    ///
    /// - Throws: `RequestBodyError.tooLong` beyond the limit, in bytes, and the errors of reading the body.
    init(writing body: RequestBody, in folder: URL, limit: Int) async throws {
        let file: FileHandle
        (url, file) = try Self.newFile(in: folder)
        isTemporary = true
        var count = 0
        // Bytes written to the file have not been sent.
        for try await chunk in body.reportingSentBytes(to: { _ in }) {
            count += chunk.count
            guard count <= limit else { throw RequestBodyError.tooLong(limit: limit) }
            try file.write(contentsOf: chunk)
        }
        try file.close()
    }

    /// The current length in bytes; nil when the file cannot be read.
    var length: Int? { try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize }

    /// Returns a stream that reads the file from its beginning.
    func makeStream() -> InputStream? { InputStream(url: url) }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    private static func newFile(in folder: URL) throws -> (URL, FileHandle) {
        var path = Array(folder.appending(path: "lading-body-XXXXXX").path(percentEncoded: false).utf8CString)
        let descriptor = mkstemp(&path)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw RequestBodyError(errno, at: name) }
        return (URL(filePath: name), FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }
}
