import Crypto
import FilePermissions
import Foundation

/// A body on its way to a file, which is made when the first bytes come.
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

    /// What was written; nil when no bytes came.
    mutating func close() throws -> RecordedExchange.Body? {
        guard let handle else { return nil }
        self.handle = nil
        try handle.close()
        return RecordedExchange.Body(length: length, sha256: digest.finalize().hexString)
    }
}
