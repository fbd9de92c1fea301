package import Foundation

/// Why an origin could not start; its text says what to do next.
package enum OriginError: Error {
    case portInUse(host: String, port: Int)
    case addressUnavailable(host: String, port: Int, cause: any Error)
    case directoryUnavailable(DirectoryLock.Failure)
    /// The database was migrated by a later release; it was only read.
    case newerSchema(URL, migrations: [String])
    /// The file is nil for a database in memory.
    case databaseUnusable(URL?, cause: any Error)
    case resourcesMissing(URL)
    case outOfRange(option: String, value: Int, allowed: ClosedRange<Int>)
    case stopped(cause: any Error)
}

extension OriginError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .portInUse(let host, let port):
            "Port \(port) on \(host) is in use: stop the program that listens there, or choose another with --port."
        case .addressUnavailable(let host, let port, let cause):
            "Cannot listen on \(host), port \(port) (\(Self.words(for: cause))): choose an address of this machine with --host."
        case .directoryUnavailable(let failure):
            failure.description
        case .newerSchema(let file, let migrations):
            """
            \(file.path) was written by a newer release (\(migrations.joined(separator: ", "))) and was left untouched: \
            update this program, or choose another directory with --data.
            """
        case .databaseUnusable(let file, let cause):
            """
            Cannot use the database \(file?.path ?? "in memory") (\(cause)): \
            move it away, or choose another directory with --data.
            """
        case .resourcesMissing(let location):
            "\(location.path) is missing: keep the resources of the program beside its executable, or install it again."
        case .outOfRange(let option, let value, let allowed):
            "\(option) cannot be \(value): choose a number from \(allowed.lowerBound) to \(allowed.upperBound)."
        case .stopped(let cause):
            "The origin stopped (\(cause)): start it again."
        }
    }

    /// Errors of the system are described in a sentence only through Foundation, all others only by themselves.
    private static func words(for cause: any Error) -> String {
        cause is POSIXError ? cause.localizedDescription : "\(cause)"
    }
}
