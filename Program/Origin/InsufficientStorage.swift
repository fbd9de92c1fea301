import DiskSpace
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import OrderStorage

/// The response to a request for which the origin's disk has no space (RFC 4918 §11.5).
enum InsufficientStorage {
    /// Whether an error was caused by a full disk.
    ///
    /// - Parameter directory: The data directory of the origin; nil when its data is in memory.
    static func isCause(of error: any Error, in directory: URL? = nil) -> Bool {
        if let error = error as? DatabaseError, let directory {
            return FullDisk.isCause(ofSQLite: error.resultCode.rawValue, in: directory)
        }
        return (error as? any UnavailableStoreError)?.isDiskFull ?? FullDisk.isCause(of: error)
    }

    static let status = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")

    /// The error as `application/problem+json` (RFC 9457).
    static var response: Response {
        .problem(
            status, title: "The disk is full",
            detail: "The server's disk is full. The request was not executed; stored data remains readable.")
    }
}
