import Foundation

extension TransferRecord {
    /// Whether the file of a download that has finished is still there as it was downloaded: with its length, and with its digest where that is known.
    ///
    /// - Parameter digests: Those that can be computed.
    /// - Throws: `POSIXError` when the file is there and cannot be read.
    package func isWhole(knowing digests: [ContentDigest] = [.sha512, .sha256]) throws -> Bool {
        guard direction == .download, status == .finished, FileManager.default.fileExists(atPath: file.path) else { return false }
        let bytes = try FileBytes.reading(file)
        guard try bytes.isRegular, try bytes.length == completed, total ?? completed == completed else { return false }
        guard let digest else { return true }
        return try ContentDigest.holds(digest, for: bytes, in: 0..<completed, knowing: digests)
    }
}
