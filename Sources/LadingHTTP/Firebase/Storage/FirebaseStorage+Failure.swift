public import Foundation

extension FirebaseStorage {
    /// Why a file could not be kept or had, beyond what a `BackendError` or a `TransferError` tells.
    public enum Failure: Error {
        /// A name that no file can have: empty, longer than 1,024 bytes, `.` or `..`, or with a line end in it.
        case invalidName(String)
        /// There is no such file.
        case notFound(String)
        /// The server refused, with its status and its words.
        case refused(status: Int, reason: String)
        /// A reply is not what it should be.
        case decodingFailed(String, cause: any Error)
        /// The server contradicts itself over an upload.
        case inconsistentResponse(String)
    }
}

extension FirebaseStorage.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .invalidName(let name): "“\(name.prefix(40))” cannot be the name of a file"
        case .notFound(let name): "there is no file \(name)"
        case .refused(let status, let reason): "the storage answered \(status): \(reason)"
        case .decodingFailed(let name, let cause): "cannot read what the storage says of \(name): \(cause)"
        case .inconsistentResponse(let what): "the storage contradicts itself: \(what)"
        }
    }
}
