import ArgumentParser
import Foundation
import OrderStoragePostgreSQL

/// `lading begin-epoch`: makes positions and fences of a PostgreSQL database stale.
struct BeginEpochCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin-epoch", abstract: "Make clients read everything again after a PostgreSQL database was restored.",
        discussion: """
            Run it after the restore of a backup, and after a failover that may have lost commits. Positions of the change feed and fences of \
            the time before are stale from then on, so that no client relies on a change that is lost. "lading restore" begins an epoch by itself.
            """)

    @OptionGroup var orderDatabase: OrderDatabaseOptions

    func validate() throws {
        guard orderDatabase.address == nil else { return }
        throw ValidationError("Name the database with --database or $\(OrderDatabaseOptions.variable).")
    }

    func run() async throws {
        guard let address = orderDatabase.address else { return }
        let orders = try await PostgreSQLOrders(at: address)
        do { try await orders.beginEpoch(at: Date()) } catch {
            await orders.close()
            throw error
        }
        await orders.close()
        Terminal.output.write("\(orders.description.oneLine): a new epoch has begun\n")
    }
}
