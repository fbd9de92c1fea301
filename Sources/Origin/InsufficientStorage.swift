import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// The answer to a request that the disk of the origin has no room for (RFC 4918 §11.5).
enum InsufficientStorage {
    /// The errors by which the system says that there is no room.
    private static let codes: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EFBIG]

    /// Whether an error says that there is no room.
    static func isCause(of error: any Error) -> Bool {
        switch error {
        case let error as POSIXError: codes.contains(error.code)
        case let error as DatabaseError: error.resultCode == .SQLITE_FULL
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        default: false
        }
    }

    /// As `application/problem+json` (RFC 9457).
    static var response: Response {
        let status = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        var json = JSONWriter()
        json.object { json in
            json.member("title", "The disk is full")
            json.member("detail", "There is no room on the disk of the server. The request was not done; what is stored can be read.")
            json.member("status", status.code)
        }
        return Response(
            status: status, headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text + "\n")))
    }
}
