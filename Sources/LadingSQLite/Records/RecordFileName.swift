import Digests
public import Foundation

extension SQLiteRecordStore {
    /// Returns the file for a list of a user. Its name does not reveal the user.
    public static func file(for list: String, of user: String, in directory: URL) -> URL {
        let digest = SHA256.hash(data: Data("\(list.utf8.count):\(list)\(user)".utf8)).prefix(16)
        return directory.appending(path: "records-\(digest.hexString).sqlite", directoryHint: .notDirectory)
    }
}
