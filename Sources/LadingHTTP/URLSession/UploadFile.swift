import Foundation

/// The file that URLSession sends a body from: the body's own, or one that was made for it and goes with this.
final class UploadFile: Sendable {
    let url: URL
    private let isTemporary: Bool

    /// The file of a body that is a whole file; nil when there is more in the file by now than is to be sent of it.
    ///
    /// - Throws: `RequestBodyError` when the file cannot be read, or has become shorter than it was announced.
    init?(of body: RequestBody) throws {
        guard case .file(let slice) = body.content, slice.isWhole else { return nil }
        let size = try FileSliceReader(slice).fileSize()
        guard size >= slice.range.count else { throw RequestBodyError.outOfRange(slice.path, size: size) }
        guard size == slice.range.count else { return nil }
        url = URL(filePath: slice.path)
        isTemporary = false
    }

    /// Writes a body to a new file.
    ///
    /// - Throws: `RequestBodyError.tooLong` beyond the limit, in bytes, and what reading the body throws.
    init(writing body: RequestBody, in folder: URL, limit: Int) async throws {
        let file: FileHandle
        (url, file) = try Self.newFile(in: folder)
        isTemporary = true
        var count = 0
        // What is written here has not been sent.
        for try await chunk in body.reportingSentBytes(to: { _ in }) {
            count += chunk.count
            guard count <= limit else { throw RequestBodyError.tooLong(limit: limit) }
            try file.write(contentsOf: chunk)
        }
        try file.close()
    }

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
