import Digests
public import Foundation
import SQLiteFiles

extension SQLiteRecordStore {
    /// Returns the file for a list of a user. Its name does not reveal the user.
    public static func file(for list: String, of user: String, in directory: URL) -> URL {
        let digest = SHA256.hash(data: Data("\(list.utf8.count):\(list)\(user)".utf8)).prefix(16)
        return directory.appending(path: "records-\(digest.hexString).sqlite", directoryHint: .notDirectory)
    }

    /// Removes the file of a closed store and the files beside it: its log, its checksum, and quarantined ones. Missing files are ignored.
    ///
    /// - Throws: `SQLiteStoreError.unavailable` when a file cannot be removed.
    public static func removeFiles(at file: URL) throws {
        let reasons: [QuarantinedFile.Reason] = [.corrupt, .newer]
        try SQLiteStoreError.converting { try SQLiteFile.remove(file, quarantinedAs: reasons.map(\.rawValue)) }
    }
}
