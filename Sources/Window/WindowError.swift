import Foundation

/// Why a window could not start; its text says what to do next.
package enum WindowError: Error {
    case portInUse(host: String, port: Int)
    case addressUnavailable(host: String, port: Int, cause: any Error)
    /// Templates, scripts or styles are not beside the program.
    case resourcesUnreadable(cause: any Error)
    case stopped(cause: any Error)
}

extension WindowError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .portInUse(let host, let port):
            "Port \(port) on \(host) is in use: stop the program that listens there, or choose another with --port."
        case .addressUnavailable(let host, let port, let cause):
            "Cannot listen on \(host), port \(port) (\(cause)): choose an address of this machine with --host."
        case .resourcesUnreadable(let cause):
            "Cannot read the pages (\(cause)): keep the resources of the program beside its executable, or install it again."
        case .stopped(let cause):
            "The window stopped (\(cause)): start it again."
        }
    }
}
