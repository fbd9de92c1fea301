package import Foundation
import GRDB
import OrderStorageSQLite
package import SQLiteFiles

/// A verification of the database of an origin, which changes nothing.
package enum OriginCheck {
    /// Checks the structure, the schema, the orders against their events, the proofs against their digests, and the file as a whole.
    package static func report(on file: URL) -> StoreCheck.Report {
        let report = StoreCheck.report(on: file, rows: [], OriginDatabase.migrator())
        // Of a changed file the changed orders and proofs are named; a damaged structure is not read further.
        guard report.problems.allSatisfy({ $0 == StoreCheck.changeProblem }) else { return report }
        let problems = report.problems + problems(inOrdersOf: file)
        return StoreCheck.Report(problems: problems, isStructureOnly: problems.isEmpty && report.isStructureOnly)
    }

    private static func problems(inOrdersOf file: URL) -> [String] {
        do {
            let database = try StoreCheck.reader(of: file)
            defer { try? database.close() }
            return try database.read { database in
                guard try database.tableExists("grdb_migrations") else { return ["it is no database of Lading"] }
                return try OrderVerification.problems(in: database)
            }
        } catch {
            return [StoreCheck.text(of: error)]
        }
    }
}
