import ArgumentParser
import DiskSpace
import ErrorDescriptions
import Foundation
import LadingHTTP
import LadingOperations

/// The failure of a command: a one-line message for users and an exit code.
struct ProgramFailure: Error {
    /// The exit codes, following shell conventions.
    enum Code: Int32 {
        case failed = 1
        /// 128 + SIGINT.
        case interrupted = 130
        /// 128 + SIGPIPE.
        case brokenPipe = 141
    }

    /// The message; nil when the failure has been reported already.
    let message: String?
    let code: Code

    static let interrupted = ProgramFailure(message: nil, code: .interrupted)

    init(message: String?, code: Code = .failed) {
        self.message = message
        self.code = code
    }

    /// Returns the failure to write results to standard output. A closed pipe ends the program without a message.
    ///
    /// - Parameter errorNumber: The value of `errno`.
    static func outputFailure(_ errorNumber: Int32) -> ProgramFailure {
        errorNumber == EPIPE
            ? ProgramFailure(message: nil, code: .brokenPipe)
            : ProgramFailure(message: "cannot write to standard output: \(String(cString: strerror(errorNumber)))")
    }

    /// Returns the failure to write a file.
    static func cannotWrite(_ file: URL, _ error: any Error) -> ProgramFailure {
        let reason = systemReason(of: error) ?? "\(error)"
        return ProgramFailure(message: "cannot write \(file.path(percentEncoded: false)): \(reason)")
    }

    /// Returns the reason of the system for an error of a file; nil for other errors.
    static func systemReason(of error: any Error) -> String? {
        if FullDisk.isCause(of: error) { return "the disk is full: free up space" }
        guard error is POSIXError || error is CocoaError || type(of: error) is NSError.Type else { return nil }
        return error.plainDescription
    }

    /// Creates the failure for the root cause of an error.
    ///
    /// - Parameter hint: The advice for users when a server cannot be reached.
    init(_ error: any Error, hint: String? = nil) {
        let cause = OperationError.rootCause(of: error)
        if let failure = cause as? ProgramFailure {
            self = failure
        } else if case BackendError.unreachable = cause, let hint {
            self.init(message: "\(cause): \(hint)")
        } else {
            self.init(message: (cause as? any LocalizedError)?.errorDescription ?? Self.systemReason(of: cause) ?? "\(cause)")
        }
    }

    /// Prints the message on standard error and ends the program.
    func exitProgram() -> Never {
        if let message { Terminal.error.write("lading: \(message.oneLine)\n") }
        exit(code.rawValue)
    }
}
