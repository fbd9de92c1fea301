import DiskSpace
import Foundation
import GRDB
import HTTPTypes
import Hummingbird

/// The answer to a request that the disk of the origin has no room for (RFC 4918 §11.5).
enum InsufficientStorage {
    /// Whether an error says that there is no room.
    ///
    /// - Parameter directory: Where the data of the origin is; nil when it is in memory.
    static func isCause(of error: any Error, in directory: URL? = nil) -> Bool {
        guard let error = error as? DatabaseError else { return FullDisk.isCause(of: error) }
        guard let directory else { return error.resultCode == .SQLITE_FULL }
        return FullDisk.isCause(ofSQLite: error.resultCode.rawValue, in: directory)
    }

    /// As `application/problem+json` (RFC 9457).
    static var response: Response {
        .problem(
            HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), title: "The disk is full",
            detail: "There is no room on the disk of the server. The request was not done; what is stored can be read.")
    }
}
