import ErrorDescriptions
public import Foundation

/// A file with a key on each line, in the order of use; plain, or compressed with gzip. A key is any bytes.
///
/// It is read in chunks: a trace may be larger than memory.
public struct CacheTrace: Sendable {
    /// The maximum length of a key, in bytes.
    public static let keyLimit = 65_536
    static let chunkSize = 262_144

    public let file: URL

    public init(file: URL) {
        self.file = file
    }

    /// The name of the file without its folder, its extension and `.gz`: `gli` of `traces/gli.txt.gz`.
    public var name: String {
        let plain = file.pathExtension.lowercased() == "gz" ? file.deletingPathExtension() : file
        return plain.deletingPathExtension().lastPathComponent
    }

    /// The size of the file in bytes, before decompression; 0 when it is unknown.
    public var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path(percentEncoded: false))
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Reads the keys in order, and skips empty lines.
    ///
    /// - Parameters:
    ///   - progress: Called with the number of bytes of the file that have been read.
    ///   - body: Called with each key.
    /// - Returns: The number of keys.
    public func read(progress: (Int) -> Void = { _ in }, body: ([UInt8]) -> Void) throws(CacheTraceError) -> Int {
        let handle: FileHandle
        do { handle = try FileHandle(forReadingFrom: file) } catch { throw unreadable(error) }
        defer { try? handle.close() }
        var lines = LineReader()
        var decoder: GzipDecoder?
        var read = 0
        while let chunk = try readChunk(from: handle) {
            if read == 0, GzipDecoder.isGzip(chunk) { decoder = GzipDecoder() }
            read += chunk.count
            progress(read)
            guard let decoder = decoder else {
                try split(chunk, &lines, body)
                continue
            }
            do { try decoder.inflate(chunk) { bytes in try split(bytes, &lines, body) } } catch let error as CacheTraceError {
                throw error
            } catch {
                throw .corrupt(file)
            }
        }
        if let decoder, !decoder.isAtEnd { throw .truncated(file) }
        lines.finish(body)
        guard lines.count > 0 else { throw .empty(file) }
        return lines.count
    }

    private func readChunk(from handle: FileHandle) throws(CacheTraceError) -> Data? {
        do {
            return try handle.read(upToCount: Self.chunkSize).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw unreadable(error)
        }
    }

    private func unreadable(_ error: any Error) -> CacheTraceError {
        .unreadable(file, error.plainDescription ?? "check that it exists and is readable")
    }

    private func split(_ bytes: Data, _ lines: inout LineReader, _ body: ([UInt8]) -> Void) throws(CacheTraceError) {
        guard lines.split(bytes, body) else { throw .keyTooLong(file) }
    }
}
