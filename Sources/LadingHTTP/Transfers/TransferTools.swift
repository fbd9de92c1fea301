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
}
