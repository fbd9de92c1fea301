import FilePermissions
import Foundation
import LadingHTTP
import LadingJournals
import LadingSQLite
import Origin
import SQLiteFiles

/// A command with a data directory.
protocol DataDirectoryCommand {
    /// The data directory; nil when nothing is stored.
    var dataDirectory: URL? { get }
    /// Whether missing stores are created.
    var createsStores: Bool { get }
}

extension DataDirectoryCommand {
    var createsStores: Bool { true }
}

/// A data directory, readable only by its owner.
///
/// Stores create new files with these permissions. Wider permissions from earlier releases or other programs are removed at the start. A
/// directory that contains something else, and no store, retains its permissions.
struct DataDirectory {
    /// The folders of the stores.
    private static let folders = ["crashes", "deliveries", "feeds", "pictures", "places", "proxy", "proxy-shared", uploadsFolder]
    /// The databases without a folder. The names of their logs, locks, checksums and quarantined copies begin with theirs.
    private static let databaseNames = ["origin.sqlite", "transfers.sqlite", Webhook.journalName]
    private static let lockName = "origin.lock"

    /// The folders with one database per list.
    private static let listFolders = ["deliveries", "feeds"]
    private static let uploadsFolder = "uploads"
    /// The folders with a blob store.
    private static let bodyFolders = ["pictures", "places", "proxy", "proxy-shared"]
    private static let databaseSuffix = ".sqlite"
    /// The locks on folders. Without one, a folder with the name of ours may belong to somebody else.
    private static let folderLocks = [CacheStorage.lockName, DeliveryCoordinator.lockName, WindowArchives.lockName]

    private let directory: URL

    init(_ directory: URL) {
        self.directory = directory.resolvingSymlinksInPath()
    }

    /// Removes the permissions of other users from stores and their directory, and from an empty directory in which stores are created.
    /// Reports on standard error if there were any.
    func makePrivate(creatingStores createsStores: Bool) {
        let path = directory.path(percentEncoded: false)
        let (isShared, files, folders) = (PrivateFiles.isShared(directory), files, storeFolders)
        let hasStores = !files.isEmpty || !folders.isEmpty
        do {
            for name in folders { try PrivateFiles.makeAllPrivate(in: directory.appending(path: name)) }
            for name in files { try PrivateFiles.makePrivate(directory.appending(path: name)) }
            guard isShared, hasStores || createsStores else { return }
            guard !isGeneralPurpose, hasStores || isEmpty else {
                return Self.report("other users can access \(path): choose a private directory with --data")
            }
            try PrivateFiles.makePrivate(directory)
            Self.report("other users could access \(path); access is now restricted to its owner")
        } catch {
            Self.report("other users can access \(path): cannot restrict access (\(error.localizedDescription))")
        }
    }

    /// The names of the files of stores without a folder.
    private var files: [String] {
        names(in: directory).filter { name in
            [Self.lockName, WebhookOptions.secretName].contains(name) || Self.databaseNames.contains { name.hasPrefix($0) }
        }
    }

    /// The names of the folders of stores: those with a lock. In a directory of stores these are all, unless it serves other purposes too.
    private var storeFolders: [String] {
        let locked = Self.folders.filter { folder in
            names(in: directory.appending(path: folder)).contains { Self.folderLocks.contains($0) }
        }
        return (locked.isEmpty && files.isEmpty) || isGeneralPurpose ? locked : Self.folders
    }

    private var isEmpty: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false)))?.isEmpty == true
    }

    private func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()
    }

    /// The bit of directories in which everybody may create files, but delete only the own ones.
    private static let stickyBit = 0o1000

    /// Whether the directory also serves other purposes: the root, a home, or a shared directory such as `/tmp`.
    private var isGeneralPurpose: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path(percentEncoded: false))
        guard let mode = attributes?[.posixPermissions] as? NSNumber, mode.intValue & Self.stickyBit == 0 else { return true }
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
        /// The problems; empty if none was found.
        let problems: [String]
        /// The reason why the store could not be verified; nil if it was.
        var obstacle: String?
        /// The limits of the verification; nil when it covers all values.
        var limitation: String?
    }

    /// Verifies the existing stores of the directory, one after the other.
    ///
    /// - Throws: `ProgramFailure` if the directory is missing or cannot be read.
    func check(_ report: (Finding) -> Void) throws {
        if let obstacle = readingObstacle(of: directory) {
            let path = directory.path(percentEncoded: false)
            throw ProgramFailure(message: "cannot read \(path) (\(obstacle)): choose another directory with --data")
        }
        for name in databases { report(finding(onDatabase: name)) }
        for name in Self.listFolders where exists(name) {
            guard let obstacle = readingObstacle(of: directory.appending(path: name)) else { continue }
            report(Finding(store: name, problems: [], obstacle: obstacle))
        }
        for name in Self.bodyFolders where exists(name) {
            let bodies = StoreCheck.report(onBodiesOf: directory.appending(path: name)) { SecretRedaction.standard.redacted($0) }
            report(Finding(bodies, of: name))
        }
        if exists(Self.uploadsFolder) { report(uploadsFinding) }
    }

    /// Returns the reason why the content of a folder is not known, such as a missing permission; nil if it is.
    private func readingObstacle(of folder: URL) -> String? {
        access(folder.path(percentEncoded: false) + "/.", R_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
    }

    private func finding(onDatabase name: String) -> Finding {
        let file = directory.appending(path: name)
        switch file.lastPathComponent {
        case TransferCoordinator.journalName: return Finding(StoreCheck.report(onTransfers: file), of: name)
        case DeliveryCoordinator.outboxName, Webhook.journalName: return Finding(StoreCheck.report(onOutbox: file), of: name)
        default: return Finding(name == "origin.sqlite" ? OriginCheck.report(on: file) : StoreCheck.report(onDatabase: file), of: name)
        }
    }

    private var uploadsFinding: Finding {
        let folder = directory.appending(path: Self.uploadsFolder, directoryHint: .isDirectory)
        if let obstacle = readingObstacle(of: folder) { return Finding(store: Self.uploadsFolder, problems: [], obstacle: obstacle) }
        let report = UploadCheck.report(on: folder)
        let count = report.unverifiedCount
        return Finding(
            store: Self.uploadsFolder, problems: report.problems, limitation: count > 0 ? "files without a checksum: \(count)" : nil)
    }

    private var databases: [String] {
        Self.databaseNames.filter(exists)
            + Self.listFolders.flatMap { folder in
                names(in: directory.appending(path: folder)).filter { $0.hasSuffix(Self.databaseSuffix) }.map { "\(folder)/\($0)" }
            }
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path(percentEncoded: false))
    }
}

extension DataDirectory.Finding {
    fileprivate init(_ report: StoreCheck.Report, of store: String) {
        self.init(
            store: store, problems: report.problems, obstacle: report.obstacle,
            limitation: report.isStructureOnly ? "structure only" : nil)
    }
}
