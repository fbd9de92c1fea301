import ErrorDescriptions
public import Foundation

/// A decoding error with the path and the reason of the failure.
public struct ResponseDecodingError: Error {
    /// The path in the document, such as `orders[3].price`; empty for the whole document.
    public let path: String
    /// The reason of the failure at the path, such as `is missing`.
    public let reason: String
    /// The error of the decoder.
    public let cause: DecodingError

    package init(_ error: DecodingError) {
        let problem = DecodingProblem(error)
        path = problem.path
        reason = problem.reason
        cause = error
    }
}

extension ResponseDecodingError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { DecodingProblem(cause).description }
}
