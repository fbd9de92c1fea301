import Foundation
import GRDB
import LadingTransfers
import SQLiteFiles

extension TransferRecord {
    /// The checksums of the rows. The list of columns is frozen: after any change of it, all stored rows would count as damaged, and the
    /// journal removes damaged transfers. A new column is not added to it, or a migration updates all checksums.
    static let checksums = RowChecksums(
        table: "transfers",
        columns: [
            "id", "direction", "remote", "file", "status", "completed", "total", "isResumable", "reason", "replaces", "boot", "version",
            "digest", "knownDigest", "resource", "sourceSize", "sourceModified", "created",
        ])

    /// The written columns, in the order of `arguments`.
    private static let columns = [
        "id", "direction", "remote", "file", "status", "completed", "total", "isResumable", "reason", "replaces", "boot", "version",
        "digest", "knownDigest", "resource", "sourceSize", "sourceModified", "created",
    ]

    /// The statement that adds or replaces a row.
    private static let upsert = """
        INSERT INTO transfers (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    private func arguments(_ paths: RelativePaths) -> StatementArguments {
        [
            id.rawValue, direction.rawValue, remote.absoluteString, paths.path(of: file), status.rawValue, completed, total,
            isResumable, reason, replacesTarget, bootID, version?.text, digest, knownDigest?.text, resource?.absoluteString,
            fingerprint?.size, fingerprint?.modified, created.timeIntervalSince1970,
        ]
    }

    /// Writes the row, replacing that of an equal id, and updates its checksum.
    func save(in database: Database, _ paths: RelativePaths) throws {
        try database.execute(sql: Self.upsert, arguments: arguments(paths))
        try Self.checksums.update(where: "id = ?", [id.rawValue], in: database)
    }

    /// Removes the part file of a damaged row, from which no transfer resumes. Its name contains the id, so that a damaged value names no other file.
    static func removePartFile(of row: Row, _ paths: RelativePaths) {
        guard let id = row.value("id", as: String.self).flatMap({ TransferID(rawValue: $0) }),
            let file = row.value("file", as: String.self).flatMap({ paths.file(at: $0) })
        else { return }
        PartFile(of: file, id: id).remove()
    }

    /// Decodes a row; nil if it is damaged, if a required column is invalid, or if its path is relative and there is no base folder. Invalid optional
    /// columns become nil.
    init?(_ row: Row, _ paths: RelativePaths) {
        guard Self.checksums.isValid(row), let id = row.value("id", as: String.self).flatMap({ TransferID(rawValue: $0) }),
            let direction = row.value("direction", as: String.self).flatMap({ FileTransfer.Direction(rawValue: $0) }),
            let remote = row.value("remote", as: String.self).flatMap({ URL(string: $0) }),
            let status = row.value("status", as: String.self).flatMap({ TransferStatus(rawValue: $0) }),
            let file = row.value("file", as: String.self).flatMap({ paths.file(at: $0) }), let completed: Int = row.value("completed"),
            let replaces: Bool = row.value("replaces"), let created: Double = row.value("created")
        else { return nil }
        self.init(
            id: id, direction: direction, remote: remote, file: file, replacesTarget: replaces,
            created: Date(timeIntervalSince1970: created))
        (self.status, self.completed, total, isResumable) = (status, completed, row.value("total"), row.value("isResumable"))
        (reason, bootID, digest) = (row.value("reason"), row.value("boot"), row.value("digest"))
        version = row.value("version", as: String.self).flatMap { FileVersion(text: $0) }
        knownDigest = row.value("knownDigest", as: String.self).flatMap { FileDigest(text: $0) }
        resource = row.value("resource", as: String.self).flatMap { URL(string: $0) }
        if let size: Int = row.value("sourceSize"), let modified: Int64 = row.value("sourceModified") {
            fingerprint = FileFingerprint(size: size, modified: modified)
        }
    }
}
