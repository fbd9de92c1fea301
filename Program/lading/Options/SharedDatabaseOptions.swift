import ArgumentParser
import Foundation
import OrderStorage
import Origin

/// The database that servers share.
struct SharedDatabaseOptions: ParsableArguments {
    /// The variable of the environment with the address, which may contain a password.
    static let variable = "LADING_DATABASE"
    /// Reports on standard error, if the variable names a database, that a command concerns only that of a data directory.
    ///
    /// - Parameter effect: What does not happen to the orders of the other database, and the remedy.
    static func reportUnusedVariable(_ effect: String) {
        guard ProcessInfo.processInfo.environment[variable]?.isEmpty == false else { return }
        Terminal.error.write("lading: the orders of the database in $\(variable) are \(effect)\n")
    }

    /// The help of `--data` in commands that use one database.
    static let dataHelp = ArgumentHelp(
        "The data directory of the server (default: \(OriginOptions.defaultDirectory.path)). With the option, $\(variable) is ignored.",
        valueName: "dir")

    @Option(
        help: ArgumentHelp(
            """
            The PostgreSQL database that servers share, such as postgres://user@host/name, instead of the one in the data directory \
            (default: $\(Self.variable)). A password belongs into $\(Self.variable), $PGPASSWORD or ~/.pgpass.
            """,
            valueName: "url"))
    var database: String?

    func validate() throws {
        guard let database, SharedDatabase.containsPassword(database) else { return }
        throw ValidationError(
            "The list of processes would show the password of --database to other users: put the address into $\(Self.variable).")
    }

    /// The address; nil for the database of the data directory.
    var address: String? { database ?? ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } }

    /// The address for a command that uses one database; nil for that of the data directory, which `--data` selects despite the variable.
    func commandAddress(data: String?) -> String? { data == nil ? address : database }

    /// Returns the database of a command. Reports on standard error that `--data` excludes the one of the variable.
    ///
    /// - Parameters:
    ///   - data: The data directory; nil for the default one.
    ///   - proofContents: The store of the bytes of proofs; nil for the database.
    func location(data: String?, proofContents: (any ProofContentStore)? = nil) -> StoreLocation {
        if let address = commandAddress(data: data) { return .postgreSQL(address, proofContents: proofContents) }
        if address != nil { Terminal.error.write("lading: because of --data, the database in $\(Self.variable) is not used\n") }
        return .directory(OriginOptions.directory(named: data))
    }
}
