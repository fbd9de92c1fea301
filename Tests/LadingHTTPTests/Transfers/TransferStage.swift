import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting

/// A folder, a journal, and what carries transfers over real sockets.
final class TransferStage: Sendable {
    let folder: URL
    let journal: ManualJournal
    let queue = BackendQueue()
    let transfers: FileTransfers

    init(
        journal: ManualJournal = ManualJournal(), folder: URL? = nil, digests: [ContentDigest] = [], attempts: Int = 4,
        client: BackendClient = BackendClient(executor: URLSessionExecutor()), clock: any Clock<Duration> = ContinuousClock(),
        boot: String? = "boot", room: Int? = nil,
        renew: @escaping @Sendable (FileTransfer) async throws -> URL? = { _ in nil }
    ) throws {
        let own = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        self.folder = folder ?? own
        self.journal = journal
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        transfers = Self.make(
            client, queue, journal, digests, TransferPatience(attempts: attempts, base: .milliseconds(10), cap: .seconds(30)), clock, boot,
            room, renew)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func make(
        _ client: BackendClient, _ queue: BackendQueue, _ journal: ManualJournal, _ digests: [ContentDigest],
        _ patience: TransferPatience, _ clock: some Clock<Duration>, _ boot: String?, _ room: Int?,
        _ renew: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) -> FileTransfers {
        FileTransfers(
            client: client, queue: queue, journal: journal, digests: digests, patience: patience, clock: clock,
            fields: { _ in [:] }, renew: renew, random: SeededRandom(seed: 1), boot: boot,
            now: { Date(timeIntervalSince1970: 1_000_000_000) }, room: { _ in room })
    }

    var target: URL { folder.appending(path: "big.bin") }

    /// What lies in the folder, hidden files included.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    func bytes(_ file: URL? = nil) -> [UInt8]? { (try? Data(contentsOf: file ?? target)).map { Array($0) } }

    /// Waits until a transfer is as it should be.
    func until(_ id: TransferID, _ isSo: (FileTransfer) -> Bool) async -> FileTransfer? {
        for await transfer in transfers.updates(of: id) where isSo(transfer) { return transfer }
        return transfers[id].flatMap { isSo($0) ? $0 : nil }
    }

    /// A file of three mebibytes.
    static let sample = sample(3 << 20)

    static func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
