package import Foundation
import GRDB
import OrderStorageSQLite
package import SQLiteFiles

/// A verification of the database of an origin, which changes nothing.
package enum OriginCheck {
    /// Checks the structure, the schema, the orders against their events, the proofs against their digests, and the file as a whole.
    ///
    /// - Parameters:
    ///   - requiresTables: Whether a database without tables, which a first start leaves on a full disk, is a problem.
    ///   - comparesSchema: Whether tables and triggers that differ from those of the release are problems.
    package static func report(on file: URL, requiresTables: Bool = false, comparesSchema: Bool = true) -> StoreCheck.Report {
        let report = StoreCheck.report(on: file, rows: [], OriginDatabase.migrator())
        // Of a changed file the changed orders and proofs are named; a damaged structure is not read further.
        guard report.obstacle == nil, report.problems.allSatisfy({ $0 == StoreCheck.changeProblem }) else { return report }
        do {
            let problems =
                try report.problems + problems(inOrdersOf: file, requiresTables: requiresTables, comparesSchema: comparesSchema)
            return StoreCheck.Report(problems: problems, isStructureOnly: problems.isEmpty && report.isStructureOnly)
        } catch {
            let failure = StoreCheck.Report(error)
            return StoreCheck.Report(problems: report.problems + failure.problems, obstacle: failure.obstacle)
        }
    }

    private static func problems(inOrdersOf file: URL, requiresTables: Bool, comparesSchema: Bool) throws -> [String] {
        let database = try StoreCheck.reader(of: file)
        defer { try? database.close() }
        return try database.read { database in
            guard try database.tableExists("grdb_migrations") else {
                let isEmpty = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
                return isEmpty && !requiresTables ? [] : ["it is no database of Lading"]
            }
            // A database of an earlier release has other tables until it is opened or restored.
            let isComparable = try comparesSchema && OriginDatabase.migrator().hasCompletedMigrations(database)
            let schemaProblems = isComparable ? try OriginSchema.problems(in: database) : []
            return schemaProblems.isEmpty ? try OrderVerification.problems(in: database) : schemaProblems
        }
    }
}
