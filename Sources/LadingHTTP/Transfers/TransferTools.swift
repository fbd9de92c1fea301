import Foundation
import HTTPTypes
import LadingOperations

/// What the attempts at all transfers of a program share.
struct TransferTools: Sendable {
    let client: BackendClient
    let journal: any TransferJournal
    let digests: [ContentDigest]
    let boot: String?
    let startStopwatch: @Sendable () -> Stopwatch
    let fields: @Sendable (URL) async throws -> HTTPFields
    let room: @Sendable (URL) -> Int?
    let files = FileThread()

    /// - Throws: `TransferError.unknownDigest` for an algorithm that cannot be computed.
    func checkSupport(of digest: FileDigest?) throws {
        guard let digest, !digests.contains(where: { $0.name == digest.algorithm }) else { return }
        throw TransferError.unknownDigest(digest.algorithm)
    }
}
