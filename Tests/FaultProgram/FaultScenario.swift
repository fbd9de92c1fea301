import Foundation

/// A series of calls to a store with checks after a system call has failed during it.
protocol FaultScenario {
    /// Creates the initial contents of the directory.
    mutating func prepare() async throws

    /// Makes the calls and records the confirmed ones. Errors are expected.
    mutating func run() async

    /// Opens the store again without faults and returns the problems found.
    ///
    /// - Throws: Errors of the store, which count as problems.
    mutating func problems() async throws -> [String]
}

/// The stores that can be tested, by argument.
enum FaultStore: String {
    case blobs, downloads, outbox, recordings, records, recovery, transfers
    #if DEBUG
        // The stores of an origin are internal. `@testable` imports exist only in debug builds, as the tests use.
        case orderCommands, originDatabase, restore, uploads
    #endif

    func scenario(in folder: URL) -> any FaultScenario {
        switch self {
        case .blobs: BlobScenario(folder: folder)
        case .downloads: DownloadScenario(folder: folder)
        case .outbox: OutboxScenario(folder: folder)
        case .recordings: RecordingScenario(folder: folder)
        case .records: RecordScenario(folder: folder)
        case .recovery: RecoveryScenario(folder: folder)
        case .transfers: TransferScenario(folder: folder)
        #if DEBUG
            case .orderCommands: OrderCommandsScenario(folder: folder)
            case .originDatabase: OriginDatabaseScenario(folder: folder)
            case .restore: RestoreScenario(folder: folder)
            case .uploads: UploadScenario(folder: folder)
        #endif
        }
    }
}

extension URL {
    /// The directory beside this one in which a store is created before it is copied.
    var stagingDirectory: URL { deletingLastPathComponent().appending(path: "draft-\(lastPathComponent)", directoryHint: .isDirectory) }

    /// Copies the contents of the directory to another, as a killed program leaves them.
    func copyContents(to directory: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(at: appending(path: name), to: directory.appending(path: name))
        }
    }
}
