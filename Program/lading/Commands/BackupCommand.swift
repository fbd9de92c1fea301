import ArgumentParser
import Foundation
import Origin

/// `lading backup`: copies the database of an origin.
struct BackupCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy orders, people, proofs, deliveries and favourites to a file.",
        discussion: """
            Can run while the server runs. The copy is verified before it gets its name. It contains names, addresses and photos: keep it as \
            safe as the data directory. Uploaded files, in the folder uploads, are not included.
            """)

    @Argument(help: "The new file.")
    var file: String

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    func validate() throws { try OriginOptions.validate(data: data) }

    var dataDirectory: URL? { OriginOptions.directory(named: data) }
    var createsStores: Bool { false }

    func run() async throws {
        SharedDatabaseOptions.reportUnusedVariable("not copied: use pg_dump")
        let target = URL(filePath: file, directoryHint: .notDirectory)
        let backup = OriginBackup(of: OriginOptions.directory(named: data))
        try await SignalHandling.exitOnInterrupt(cleaningUp: { OriginBackup.removeDraft(of: target) }) { try backup.write(to: target) }
        Terminal.output.write("\(target.path(percentEncoded: false).oneLine): ok\n")
    }
}

/// `lading restore`: replaces the database of an origin with a backup.
struct RestoreCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace orders, people, proofs, deliveries and favourites with a backup.",
        discussion: """
            Can run while the server runs. The backup is verified first; a damaged one changes nothing, nor does one with tables or \
            triggers of somebody else, or without those of the server. Indexes and views of somebody else are not restored. The replaced \
            content stays in the data directory, in a file whose name is printed. A new epoch begins: pages and programs read everything \
            again, new orders get numbers from the seconds since 1970 on, above those of orders that are lost, and people whose tokens the \
            backup or the replaced content does not contain sign in again; the number of sign-ins that end is printed. People who were \
            revoked since the backup stay revoked if the replaced content has them, and sign-in links end. A database that is too damaged \
            to be opened is moved with its log to the file whose name is printed, while no server runs.
            """)

    @Argument(help: "The backup.")
    var file: String

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    func validate() throws { try OriginOptions.validate(data: data) }

    var dataDirectory: URL? { OriginOptions.directory(named: data) }

    func run() async throws {
        let backup = URL(filePath: file, directoryHint: .notDirectory)
        let path = backup.path(percentEncoded: false)
        guard access(path, F_OK) == 0 || errno != ENOENT else { throw ProgramFailure(message: "there is no file \(path.oneLine)") }
        SharedDatabaseOptions.reportUnusedVariable("not replaced: use pg_restore, then lading begin-epoch")
        let restoration = try OriginBackup(of: OriginOptions.directory(named: data)).restore(backup)
        Terminal.output.write("\(path.oneLine): restored\n")
        if let file = restoration.replacedFile {
            Terminal.output.write("The replaced content is in \(file.path(percentEncoded: false).oneLine)\n")
        }
        if restoration.endedTokenCount > 0 {
            Terminal.output.write("\(Self.notice(ofEndedTokens: restoration.endedTokenCount))\n")
        }
        if !restoration.retainsRevocations {
            Terminal.output.write("Revoke people again who were revoked since the backup: their tokens are accepted until then\n")
        }
    }

    private static func notice(ofEndedTokens count: Int) -> String {
        let subject = count == 1 ? "1 sign-in of the backup is" : "\(count) sign-ins of the backup are"
        return "\(subject) no longer in the replaced content and \(count == 1 ? "has" : "have") ended: make links with lading people link"
    }
}
