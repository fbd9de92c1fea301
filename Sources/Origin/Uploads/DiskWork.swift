import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix

/// Work that waits for a disk, done off the threads that serve.
enum DiskWork {
    /// The errors by which the system says that there is no room.
    private static let noRoom: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EFBIG]

    /// - Throws: `HTTPError` with status 507 when there is no room, and what the work throws otherwise.
    static func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch let error as POSIXError where noRoom.contains(error.code) {
            throw HTTPError(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), message: "The disk of the server is full.")
        }
    }
}
