#if PostgreSQL
    internal import CPostgreSQL
    import Foundation

    /// The address of a database, and the bounds of its connections.
    package struct PostgreSQLConfiguration: Sendable {
        /// The maximum number of connections.
        package var connectionLimit = 10
        /// The maximum wait for a free connection.
        package var acquisitionLimit = Duration.seconds(10)
        /// The maximum time of a statement, which the server and the client enforce.
        package var statementLimit = Duration.seconds(30)

        /// The parameters of libpq.
        let parameters: [String: String]

        /// Parses a connection URI such as `postgres://user@host:5432,other:5432/name?sslmode=verify-full`, or `key=value` pairs.
        ///
        /// Source: PostgreSQL, libpq, 34.1.1 Connection Strings. Without `target_session_attrs` only a server that accepts writes is used: replicas show states
        /// that may never become those of the database.
        ///
        /// - Throws: `PostgreSQLError.invalidAddress`, whose text contains no password.
        package init(_ address: String) throws {
            var message: UnsafeMutablePointer<CChar>?
            guard let options = PQconninfoParse(address, &message) else {
                defer { PQfreemem(message) }
                throw PostgreSQLError.invalidAddress(Self.problem(of: address, message.map { String(cString: $0) }))
            }
            defer { PQconninfoFree(options) }
            var parameters = Self.defaults
            var option = options
            while let name = option.pointee.keyword {
                if let value = option.pointee.val { parameters[String(cString: name)] = String(cString: value) }
                option += 1
            }
            guard Self.arePorts(parameters["port"] ?? "") else {
                throw PostgreSQLError.invalidAddress("a port is not a number; in a password of a URI, / is escaped as %2F, and : as %3A")
            }
            self.parameters = parameters
            hasPassword = ["password", "sslpassword"].contains { parameters[$0] != nil }
        }

        /// Whether the address contains a password, also that of a client key; one from the environment or a file of libpq does not count.
        package let hasPassword: Bool

        /// The parameters with the time limits of the server.
        var connectionParameters: [String: String] {
            let limit = statementLimit.milliseconds
            let limits = "-c statement_timeout=\(limit) -c lock_timeout=\(limit)"
            return parameters.merging(["options": limits]) { specified, limits in "\(limits) \(specified)" }
        }

        /// The address without its password, for messages.
        package var description: String {
            let host = parameters["host"] ?? parameters["hostaddr"] ?? "localhost"
            return "\(parameters["dbname"] ?? parameters["user"] ?? "postgres") at \(host)"
        }

        private static let defaults = [
            "application_name": "lading", "client_encoding": "UTF8", "connect_timeout": "5", "target_session_attrs": "read-write",
            // A connection whose network was cut is found within half a minute, also when it waits.
            "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "20000",
        ]

        /// Whether the ports of the hosts are numbers, or missing.
        ///
        /// libpq repeats others in its errors, and reads a password as a port if the host is missing, or if the password contains a slash.
        private static func arePorts(_ text: String) -> Bool {
            text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { port in
                port.isEmpty || (1...65_535).contains(Int(port) ?? 0)
            }
        }

        /// The message of libpq, which may repeat a part of the address, only if that has no secret.
        private static func problem(of address: String, _ message: String?) -> String {
            guard let message, !address.contains("@"), !address.contains("password") else {
                return "it must be a URI such as postgres://user:password@host:5432/name"
            }
            return message.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
#endif
