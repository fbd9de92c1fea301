/// An error of the server, of a connection, or of an address.
package enum PostgreSQLError: Error, Hashable {
    /// The address of the database is not valid.
    case invalidAddress(String)
    /// No connection could be made.
    case unreachable(String)
    /// The server has refused a statement, which changed nothing.
    case refused(Rejection)
    /// The connection was lost, or the commit was not replicated as configured: a statement that changes data may have taken effect.
    case outcomeUnknown(String)
    /// The connection was lost during a statement that changes nothing.
    case interrupted(String)
    /// There was no answer in time; the connection was closed.
    case timedOut
    /// All connections were in use for too long.
    case poolExhausted
    /// The client was shut down.
    case shutDown
    /// A value has another type than the caller expects.
    case unexpectedValue(column: String)

    /// The reason of the server.
    package struct Rejection: Error, Hashable, Sendable {
        package let state: SQLState
        package let message: String
        /// The violated constraint or unique index; nil if there is none.
        package let constraint: String?

        package init(state: SQLState, message: String, constraint: String? = nil) {
            self.state = state
            self.message = message
            self.constraint = constraint
        }
    }

    /// Whether the statements had no effect, and may succeed when they are repeated.
    var isRepeatable: Bool {
        switch self {
        case .interrupted: true
        case .refused(let rejection): [.serializationFailure, .deadlockDetected, .featureNotSupported].contains(rejection.state)
        default: false
        }
    }
}

/// A code of five characters.
///
/// Source: PostgreSQL, Appendix A, Error Codes.
package struct SQLState: RawRepresentable, Hashable, Sendable {
    /// Among others the rejection of a prepared statement whose tables have changed.
    package static let featureNotSupported = SQLState(rawValue: "0A000")
    package static let divisionByZero = SQLState(rawValue: "22012")
    package static let uniqueViolation = SQLState(rawValue: "23505")
    package static let serializationFailure = SQLState(rawValue: "40001")
    package static let deadlockDetected = SQLState(rawValue: "40P01")
    package static let queryCanceled = SQLState(rawValue: "57014")
    package static let adminShutdown = SQLState(rawValue: "57P01")
    package static let crashShutdown = SQLState(rawValue: "57P02")
    package static let cannotConnectNow = SQLState(rawValue: "57P03")
    package static let readOnlyTransaction = SQLState(rawValue: "25006")
    package static let lockNotAvailable = SQLState(rawValue: "55P03")
    package static let outOfMemory = SQLState(rawValue: "53200")
    package static let tooManyConnections = SQLState(rawValue: "53300")
    package static let diskFull = SQLState(rawValue: "53100")
    package static let undefinedTable = SQLState(rawValue: "42P01")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Whether the refused statement had no effect and may succeed later.
    package var isTemporary: Bool {
        [
            .queryCanceled, .lockNotAvailable, .serializationFailure, .deadlockDetected, .outOfMemory, .tooManyConnections,
        ].contains(self)
    }

    /// Whether the server cannot read what it has stored: an internal error, a corrupted table or index, or an error of its disk.
    package var isDamage: Bool { rawValue.hasPrefix("XX") || rawValue.hasPrefix("58") }

    /// Whether the server ends the connection.
    var endsConnection: Bool { [.adminShutdown, .crashShutdown, .cannotConnectNow, .readOnlyTransaction].contains(self) }
}

extension PostgreSQLError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidAddress(let reason): "the address of the database is not valid: \(reason)"
        case .unreachable(let reason): "the database cannot be reached: \(Self.withRemedy(reason))"
        case .refused(let rejection): "the database refused a statement: \(rejection.message) (\(rejection.state.rawValue))"
        case .outcomeUnknown(let reason): "whether the database has stored a change is unknown: \(reason)"
        case .interrupted(let reason): "the connection to the database was lost: \(reason)"
        case .timedOut: "the database did not answer in time"
        case .poolExhausted: "all connections to the database are in use"
        case .shutDown: "the connections to the database are closed"
        case .unexpectedValue(let column): "the value of \(column) has another type"
        }
    }

    private static func withRemedy(_ reason: String) -> String {
        TLSProblem(message: reason).map { "\(reason) (\($0.remedy))" } ?? reason
    }
}
