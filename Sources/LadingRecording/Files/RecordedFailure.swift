import Foundation
import LadingHTTP

/// A failure of an exchange before the end of its response.
struct RecordedFailure: Codable, Sendable {
    enum Kind: String, Codable {
        case unreachable, timedOut, interrupted, overrun
        case malformedResponse = "malformedReply"
        /// The address policy does not allow the address.
        case privateAddress
        /// An error that is not one of an executor's.
        case other
        /// The receiver did not read the response to its end.
        case truncated = "left"
    }

    /// A cause of which only the description is known.
    struct Cause: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    var kind: Kind
    /// The time of the failure, in seconds since the exchange began.
    var at: Double
    /// The limit that expired, in seconds or bytes.
    var limit: Double?
    /// The description of the cause, without secrets.
    var cause: String?

    static func truncated(at time: Duration) -> RecordedFailure { RecordedFailure(kind: .truncated, at: time / .seconds(1)) }

    private init(kind: Kind, at: Double) {
        self.kind = kind
        self.at = at
    }

    init(_ error: any Error, at time: Duration, describe: (any Error) -> String) {
        self.init(kind: .other, at: time / .seconds(1))
        switch error {
        case BackendError.unreachable(_, let reason): (kind, cause) = (.unreachable, describe(reason))
        case BackendError.interrupted(_, let reason): (kind, cause) = (.interrupted, describe(reason))
        case BackendError.malformedResponse(_, let reason): (kind, cause) = (.malformedResponse, describe(reason))
        case BackendError.timedOut(_, let duration): (kind, limit) = (.timedOut, duration / .seconds(1))
        case BackendError.bufferLimitExceeded(_, let bytes): (kind, limit) = (.overrun, Double(bytes))
        case BackendError.policyViolation(_, .privateAddress): kind = .privateAddress
        default: cause = describe(error)
        }
    }

    /// Returns the failure as the error of a request for this URL.
    func error(for url: URL, recordedAs recorded: String) -> any Error {
        let cause = Cause(description: cause ?? "as recorded")
        return switch kind {
        case .unreachable: BackendError.unreachable(url, cause: cause)
        case .interrupted: BackendError.interrupted(url, cause: cause)
        case .malformedResponse: BackendError.malformedResponse(url, cause: cause)
        case .timedOut: BackendError.timedOut(url, after: .seconds(limit ?? at))
        case .overrun: BackendError.bufferLimitExceeded(url, limit: Int(exactly: limit?.rounded() ?? 0) ?? .max)
        case .privateAddress: BackendError.policyViolation(url, .privateAddress)
        case .other: cause
        case .truncated: RecordingError.truncated(url: recorded)
        }
    }
}
