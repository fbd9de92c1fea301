import Digests
import FilePermissions
import Foundation

/// A file that a body is written to; it is created with the first bytes.
struct BodyFile {
    private let url: URL
    private var handle: FileHandle?
    private var length = 0
    private var digest = SHA256()

    init(_ url: URL) {
        self.url = url
    }

    mutating func write(_ bytes: [UInt8]) throws {
        if handle == nil {
            try PrivateFiles.write(Data(), to: url)
            handle = try FileHandle(forWritingTo: url)
        }
        try handle?.write(contentsOf: Data(bytes))
        digest.update(data: bytes)
        length += bytes.count
    }

    /// Closes the file, and returns the length and digest of the body; nil when no bytes were written.
    mutating func close() throws -> RecordedExchange.Body? {
        guard let handle else { return nil }
        self.handle = nil
        try handle.close()
        return RecordedExchange.Body(length: length, sha256: digest.finalize().hexString)
    }
}
