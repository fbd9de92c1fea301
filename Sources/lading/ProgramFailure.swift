import ArgumentParser
import Foundation
import LadingHTTP
import LadingOperations

/// Why the program ends without having done what was asked: a line for people and an exit code.
struct ProgramFailure: Error {
    /// Exit codes as shells know them.
    enum Code: Int32 {
        case failed = 1
        /// 128 + SIGINT.
        case interrupted = 130
        /// 128 + SIGPIPE.
        case brokenPipe = 141
    }

    /// nil when everything has been said.
    let message: String?
    let code: Code

    static let interrupted = ProgramFailure(message: nil, code: .interrupted)

    init(message: String?, code: Code = .failed) {
        self.message = message
        self.code = code
    }

    /// Results that standard output did not take; nothing is said where nobody reads them any more.
    ///
    /// - Parameter number: The system's number of the error.
    static func outputFailure(_ errorNumber: Int32) -> ProgramFailure {
        errorNumber == EPIPE
            ? ProgramFailure(message: nil, code: .brokenPipe)
            : ProgramFailure(message: "cannot write to standard output: \(String(cString: strerror(errorNumber)))")
    }

    /// - Parameter hint: What to do when a server cannot be reached.
    init(_ error: any Error, hint: String? = nil) {
        let cause = OperationError.rootCause(of: error)
        if let failure = cause as? ProgramFailure {
            self = failure
        } else if case BackendError.unreachable = cause, let hint {
            self.init(message: "\(cause): \(hint)")
        } else {
            self.init(message: (cause as? any LocalizedError)?.errorDescription ?? "\(cause)")
        }
    }

    /// Says it on standard error and ends the program.
    func exitProgram() -> Never {
        if let message { Terminal.error.write("lading: \(message.oneLine)\n") }
        exit(code.rawValue)
    }
}
