import Foundation
import HTTPTypes
import LadingOperations

/// What the attempts at all transfers of a program share.
struct TransferContext: Sendable {
    let client: BackendClient
    let journal: any TransferJournal
    let digests: [ContentDigest]
    let bootID: String?
    let startStopwatch: @Sendable () -> Stopwatch
    let headers: @Sendable (URL) async throws -> HTTPFields
    let availableCapacity: @Sendable (URL) -> Int?
    let threadPool = FileThreadPool()

    /// - Throws: `TransferError.unsupportedDigest` for an algorithm that cannot be computed.
    func checkSupport(of digest: FileDigest?) throws {
        guard let digest, !digests.contains(where: { $0.name == digest.algorithm }) else { return }
        throw TransferError.unsupportedDigest(digest.algorithm)
    }
}
