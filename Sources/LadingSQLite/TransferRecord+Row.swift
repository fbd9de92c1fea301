import Foundation
import GRDB
import LadingHTTP

extension TransferRecord {
    private static let columns = [
        "id", "direction", "remote", "file", "status", "completed", "total", "isResumable", "reason", "replaces", "boot", "version",
        "digest", "knownDigest", "resource", "sourceSize", "sourceModified", "created",
    ]

    /// Adds a row, or replaces what was in it.
    static let upsert = """
        INSERT INTO transfers (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    /// In the order of the columns.
    var arguments: StatementArguments {
        [
            id.rawValue, direction.rawValue, remote.absoluteString, file.path(percentEncoded: false), status.rawValue, completed, total,
            isResumable, reason, replaces, boot, version?.text, digest, knownDigest?.text, resource?.absoluteString, stamp?.size,
            stamp?.modified,
            created.timeIntervalSince1970,
        ]
    }

    /// Nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let id = TransferID(rawValue: row["id"]), let direction = FileTransfer.Direction(rawValue: row["direction"]),
            let remote = URL(string: row["remote"]), let status = TransferStatus(rawValue: row["status"])
        else { return nil }
        self.init(
            id: id, direction: direction, remote: remote, file: URL(filePath: row["file"] as String, directoryHint: .notDirectory),
            replaces: row["replaces"], created: Date(timeIntervalSince1970: row["created"]))
        (self.status, completed, total, isResumable) = (status, row["completed"], row["total"], row["isResumable"])
        (reason, boot, digest) = (row["reason"], row["boot"], row["digest"])
        version = (row["version"] as String?).flatMap(FileVersion.init(text:))
        knownDigest = (row["knownDigest"] as String?).flatMap(FileDigest.init(text:))
        resource = (row["resource"] as String?).flatMap { URL(string: $0) }
        if let size = row["sourceSize"] as Int?, let modified = row["sourceModified"] as Int64? {
            stamp = SourceStamp(size: size, modified: modified)
        }
    }
}
