import Foundation

/// How an exchange ended before the end of its reply.
struct RecordedFailure: Codable, Sendable {
    enum Kind: String, Codable {
        case unreachable, timedOut, interrupted, overrun
        case malformedResponse = "malformedReply"
        /// The address may not be connected to.
        case privateAddress
        /// None of an executor's own kinds.
        case other
        /// Whoever read the reply left it.
        case truncated = "left"
    }

    /// A cause that only its text is left of.
    struct Cause: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    var kind: Kind
    /// When, in seconds since the exchange began.
    var at: Double
    /// The limit that struck, in seconds or bytes.
    var limit: Double?
    /// In the words of the executor, without secrets.
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
        case BackendError.overrun(_, let bytes): (kind, limit) = (.overrun, Double(bytes))
        case BackendError.policyViolation(_, .privateAddress): kind = .privateAddress
        default: cause = describe(error)
        }
    }

    /// The failure as whoever asks for this URL would have seen it.
    func error(for url: URL, recordedAs recorded: String) -> any Error {
        let cause = Cause(description: cause ?? "as recorded")
        return switch kind {
        case .unreachable: BackendError.unreachable(url, cause: cause)
        case .interrupted: BackendError.interrupted(url, cause: cause)
        case .malformedResponse: BackendError.malformedResponse(url, cause: cause)
        case .timedOut: BackendError.timedOut(url, after: .seconds(limit ?? at))
        case .overrun: BackendError.overrun(url, limit: Int(exactly: limit?.rounded() ?? 0) ?? .max)
        case .privateAddress: BackendError.policyViolation(url, .privateAddress)
        case .other: cause
        case .truncated: RecordingError.truncated(url: recorded)
        }
    }
}
