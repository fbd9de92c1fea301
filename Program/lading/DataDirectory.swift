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
}

/// A data directory, readable only by its owner.
///
/// Stores create new files with these permissions. Wider permissions from earlier releases or other programs are removed at the start.
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
            for name in files { try PrivateFiles.makePrivate(directory.appending(path: name)) }
            guard isShared else { return }
            guard !isGeneralPurpose else { return Self.report("other users can access \(path): choose a private directory with --data") }
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
    func check(_ report: (Finding) -> Void) {
        for name in databases { report(finding(onDatabase: name)) }
        for name in Self.bodyFolders where exists(name) {
            let bodies = StoreCheck.report(onBodiesOf: directory.appending(path: name)) { SecretRedaction.standard.redacted($0) }
            report(Finding(bodies, of: name))
        }
        if exists(Self.uploadsFolder) { report(uploadsFinding) }
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
        let report = UploadCheck.report(on: directory.appending(path: Self.uploadsFolder, directoryHint: .isDirectory))
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
