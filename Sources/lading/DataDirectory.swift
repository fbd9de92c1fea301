import FilePermissions
import Foundation
import LadingSQLite

/// A command with a data directory.
protocol DataDirectoryCommand {
    /// The data directory; nil when nothing is stored.
    var dataDirectory: URL? { get }
}

/// A data directory, readable only by its owner.
///
/// Stores create new files with these permissions. Wider permissions from earlier releases or other programs are removed at the start.
struct DataDirectory {
    /// The folders of the stores.
    private static let folders = ["crashes", "deliveries", "feeds", "pictures", "proxy", "proxy-shared", "uploads"]
    /// The stores without a folder, with their auxiliary files.
    private static let files = ["origin.lock", "origin.sqlite", "transfers.sqlite"].flatMap { name in
        ["", "-wal", "-shm", ".lock"].map { name + $0 }
    }

    /// The folders with one database per list.
    private static let listFolders = ["deliveries", "feeds"]
    /// The folders with a blob store.
    private static let bodyFolders = ["pictures", "proxy", "proxy-shared"]
    private static let databaseSuffix = ".sqlite"

    private let directory: URL

    init(_ directory: URL) {
        self.directory = directory.resolvingSymlinksInPath()
    }

    /// Removes the permissions of other users, and reports on standard error if there were any.
    func makePrivate() {
        let path = directory.path(percentEncoded: false)
        let isShared = PrivateFiles.isShared(directory)
        do {
            for name in Self.folders { try PrivateFiles.makeAllPrivate(in: directory.appending(path: name)) }
            for name in Self.files { try PrivateFiles.makePrivate(directory.appending(path: name)) }
            guard isShared else { return }
            guard !isGeneralPurpose else { return Self.report("other users can access \(path): choose a private directory with --data") }
            try PrivateFiles.makePrivate(directory)
            Self.report("other users could access \(path); access is now restricted to its owner")
        } catch {
            Self.report("other users can access \(path): cannot restrict access (\(error.localizedDescription))")
        }
    }

    /// Whether the directory also serves other purposes: the root, a home, or a shared directory such as `/tmp`.
    private var isGeneralPurpose: Bool {
        let path = directory.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_ISVTX == 0 else { return true }
        let home = FileManager.default.homeDirectoryForCurrentUser.resolvingSymlinksInPath()
        return directory.pathComponents.count < 2 || directory.pathComponents == home.pathComponents
    }

    private static func report(_ text: String) { Terminal.error.write("lading: \(text.oneLine)\n") }
}

// MARK: - Checking

extension DataDirectory {
    /// A store and its problems.
    struct Finding {
        /// The path of the store in the directory.
        let store: String
        /// The problems; empty when the store is intact.
        let problems: [String]
    }

    /// Verifies the existing stores of the directory, one after the other.
    func check(_ report: (Finding) -> Void) {
        for name in databases { report(Finding(store: name, problems: problems(inDatabase: name))) }
        for name in Self.bodyFolders where exists(name) {
            report(Finding(store: name, problems: StoreCheck.problems(inBodiesOf: directory.appending(path: name))))
        }
    }

    private func problems(inDatabase name: String) -> [String] {
        let file = directory.appending(path: name)
        return switch file.lastPathComponent {
        case TransferCoordinator.journalName: StoreCheck.problems(inTransfers: file)
        case DeliveryCoordinator.outboxName: StoreCheck.problems(inOutbox: file)
        default: StoreCheck.problems(inDatabase: file)
        }
    }

    private var databases: [String] {
        let direct = Self.files.filter { $0.hasSuffix(Self.databaseSuffix) && exists($0) }
        return direct
            + Self.listFolders.flatMap { folder in
                let path = directory.appending(path: folder).path(percentEncoded: false)
                let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                return names.filter { $0.hasSuffix(Self.databaseSuffix) }.sorted().map { "\(folder)/\($0)" }
            }
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path(percentEncoded: false))
    }
}
