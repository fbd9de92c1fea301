import Foundation

/// A series of calls to a store, and what must hold after some call of the system has failed in the middle of it.
protocol FaultScenario {
    /// Makes what the calls find in the directory.
    mutating func prepare() async throws

    /// Makes the calls, and remembers which of them were confirmed. Errors are expected.
    mutating func run() async

    /// Opens the store anew, when no call fails any more, and returns the promises that were broken.
    ///
    /// - Throws: What the store throws, which is a broken promise too.
    mutating func problems() async throws -> [String]
}

/// The stores that can be tested, by the name of the argument.
enum FaultStore: String {
    case blobs, outbox, recordings, records, recovery, transfers

    /// Whether its promises hold when all calls fail from one on: a file that was set aside is put back only by a disk that works again.
    var supportsPersistentFaults: Bool { self != .recovery }

    func scenario(in folder: URL) -> any FaultScenario {
        switch self {
        case .blobs: BlobScenario(folder: folder)
        case .outbox: OutboxScenario(folder: folder)
        case .recordings: RecordingScenario(folder: folder)
        case .records: RecordScenario(folder: folder)
        case .recovery: RecoveryScenario(folder: folder)
        case .transfers: TransferScenario(folder: folder)
        }
    }
}

extension URL {
    /// The directory beside this one in which a store is made before it is copied.
    var stagingDirectory: URL { deletingLastPathComponent().appending(path: "draft-\(lastPathComponent)", directoryHint: .isDirectory) }

    /// Copies everything in the directory into another one, as a program leaves it that is killed now.
    func copyContents(to directory: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(at: appending(path: name), to: directory.appending(path: name))
        }
    }
}
