package import Foundation
import GRDB
import OrderStorageSQLite
package import SQLiteFiles

/// A verification of the database of an origin, which changes nothing.
package enum OriginCheck {
    /// Checks the structure, the schema, the orders against their events, the proofs against their digests, and the file as a whole.
    package static func report(on file: URL) -> StoreCheck.Report {
        let report = StoreCheck.report(on: file, rows: [], OriginDatabase.migrator)
        guard report.problems.isEmpty else { return report }
        do {
            let database = try StoreCheck.reader(of: file)
            defer { try? database.close() }
            let problems = try database.read { database in
                guard try database.tableExists("grdb_migrations") else { return ["it is no database of Lading"] }
                return try OrderVerification.problems(in: database)
            }
            return problems.isEmpty ? report : StoreCheck.Report(problems: problems)
        } catch {
            return StoreCheck.Report(problems: [StoreCheck.text(of: error)])
        }
    }
}
