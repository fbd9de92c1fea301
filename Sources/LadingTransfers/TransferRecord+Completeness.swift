import FileAccess
import Foundation

extension TransferRecord {
    /// Whether the file of a finished download still exists with the downloaded length, and with its digest where that is known.
    ///
    /// - Parameters:
    ///   - digests: The supported algorithms.
    ///   - checkCancellation: Called before each chunk of the file; its error ends the verification.
    /// - Throws: `POSIXError` when the file exists but cannot be read, and the error of `checkCancellation`.
    package func isComplete(
        using digests: [ContentDigest] = [.sha512, .sha256], checkCancellation: () throws -> Void
    ) throws -> Bool {
        guard direction == .download, status == .finished, FileManager.default.fileExists(atPath: file.path) else { return false }
        let bytes = try RandomAccessFile.openForReading(file)
        guard try bytes.isRegular, try bytes.length == completed, total ?? completed == completed else { return false }
        guard let digest else { return true }
        return try ContentDigest.matches(
            [digest], file: bytes, in: 0..<completed, using: digests, checkCancellation: checkCancellation) == [true]
    }
}
