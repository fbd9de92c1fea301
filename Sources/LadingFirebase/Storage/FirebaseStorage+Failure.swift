import ErrorDescriptions
public import Foundation
import LadingHTTP

extension FirebaseStorage {
    /// An error of the storage, beyond those of `BackendError` and `TransferError`.
    public enum Failure: Error {
        /// The name is empty, longer than 1,024 bytes, `.` or `..`, or contains a line break.
        case invalidName(String)
        /// No such file exists.
        case notFound(String)
        /// The server refused the request, with its status and its reason.
        case refused(status: Int, reason: String)
        /// A response could not be decoded.
        case decodingFailed(String, cause: any Error)
        /// The server's responses about an upload are contradictory.
        case inconsistentResponse(String)
    }
}

extension FirebaseStorage.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { message.redactingSecrets }

    private var message: String {
        switch self {
        case .invalidName(let name): "“\(name.prefix(40))” is not a valid file name: use at most 1,024 bytes without line breaks"
        case .notFound(let name): "the storage has no file \(name)"
        case .refused(let status, let reason): "the storage responded with \(status): \(reason)"
        case .decodingFailed(let name, let cause): "cannot read the metadata of \(name)".appending(cause: cause)
        case .inconsistentResponse(let what): "the storage sent an inconsistent response: \(what)"
        }
    }
}
