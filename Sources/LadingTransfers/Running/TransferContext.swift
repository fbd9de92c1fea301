import FileAccess
import Foundation
import HTTPTypes
import LadingHTTP
import Timing

/// The dependencies that all attempts share.
struct TransferContext: Sendable {
    let client: BackendClient
    let journal: any TransferJournal
    let digests: [ContentDigest]
    let bootID: String?
    let startStopwatch: @Sendable () -> Stopwatch
    let headers: @Sendable (URL) async throws -> HTTPFields
    let availableCapacity: @Sendable (URL) -> Int?
    let threadPool = FileThreadPool()
    let uploadRemovals = UploadRemovals()

    /// Checks that the algorithm of a digest is supported.
    ///
    /// - Throws: `TransferError.unsupportedDigest` for an unsupported algorithm.
    func checkSupport(of digest: FileDigest?) throws {
        guard let digest, !digests.contains(where: { $0.name == digest.algorithm }) else { return }
        throw TransferError.unsupportedDigest(digest.algorithm)
    }
}
