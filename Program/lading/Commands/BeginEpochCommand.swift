import ArgumentParser
import Foundation
import Origin

/// `lading begin-epoch`: makes positions and fences of a PostgreSQL database stale.
struct BeginEpochCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin-epoch", abstract: "Make clients read everything again after a PostgreSQL database was restored.",
        discussion: """
            Run it after the restore of a backup, and after a failover that may have lost commits. Positions of the change feed and fences of \
            the time before are stale from then on, so that no client relies on a change that is lost, new orders get numbers from the seconds \
            since 1970 on, above those of orders that are lost, and sign-in links end. Revoke people again who were revoked since the backup. \
            "lading restore" begins an epoch by itself.
            """)

    @OptionGroup var shared: SharedDatabaseOptions

    func validate() throws {
        guard shared.address == nil else { return }
        throw ValidationError("Name the database with --database or $\(SharedDatabaseOptions.variable).")
    }

    func run() async throws {
        guard let address = shared.address else { return }
        let description = try await SharedDatabase.beginEpoch(inDatabase: address, at: Date())
        Terminal.output.write("\(description.oneLine): a new epoch has begun\n")
    }
}
