import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers

/// A folder, a journal, and a `FileTransfers` over real sockets.
final class TransferFixture: Sendable {
    let folder: URL
    let journal: MemoryTransferJournal
    let queue = BackendQueue()
    let transfers: FileTransfers

    init(
        journal: MemoryTransferJournal = MemoryTransferJournal(), folder: URL? = nil, digests: [ContentDigest] = [], attempts: Int = 4,
        client: BackendClient = BackendClient(), clock: any Clock<Duration> = ContinuousClock(),
        bootID: String? = "boot", availableCapacity: Int? = nil,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL? = { _ in nil }
    ) throws {
        let ownFolder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        self.folder = folder ?? ownFolder
        self.journal = journal
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        transfers = Self.make(
            client, queue, journal, digests, TransferRetryPolicy(attempts: attempts, base: .milliseconds(10), cap: .seconds(30)), clock,
            bootID,
            availableCapacity, refreshURL)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func make(
        _ client: BackendClient, _ queue: BackendQueue, _ journal: MemoryTransferJournal, _ digests: [ContentDigest],
        _ retryPolicy: TransferRetryPolicy, _ clock: some Clock<Duration>, _ bootID: String?, _ availableCapacity: Int?,
        _ refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) -> FileTransfers {
        FileTransfers(
            client: client, queue: queue, journal: journal, digests: digests, retryPolicy: retryPolicy, clock: clock,
            headers: { _ in [:] }, refreshURL: refreshURL, random: SeededRandom(seed: 1), bootID: bootID,
            now: { Date(timeIntervalSince1970: 1_000_000_000) }, availableCapacity: { _ in availableCapacity })
    }

    var target: URL { folder.appending(path: "big.bin") }

    /// The names of the files in the folder, including hidden ones.
    var fileNames: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    func bytes(_ file: URL? = nil) -> [UInt8]? { (try? Data(contentsOf: file ?? target)).map { Array($0) } }

    /// Waits until the state of a transfer satisfies a predicate.
    func firstUpdate(of id: TransferID, where predicate: (FileTransfer) -> Bool) async -> FileTransfer? {
        for await transfer in transfers.updates(of: id) where predicate(transfer) { return transfer }
        return transfers[id].flatMap { predicate($0) ? $0 : nil }
    }

    /// The content of a file of three mebibytes.
    static let sample = sample(3 << 20)

    static func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
