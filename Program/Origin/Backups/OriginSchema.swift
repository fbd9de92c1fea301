import GRDB
import OrderStorage
import SQLiteFiles

/// A comparison of the tables, indexes, triggers and views of a database with those that the migrations create.
///
/// A trigger or view in a file of somebody else could undo later writes, such as the removal of a token.
enum OriginSchema {
    /// Returns the differences as text for users; empty if there is none.
    ///
    /// - Parameter database: A database to which all migrations have been applied.
    static func problems(in database: Database) throws -> [String] {
        let (expected, libraryTables) = try OriginDatabase().writer.read { (try definitions(in: $0), try Self.libraryTables(in: $0)) }
        let found = try definitions(in: database)
        var list = ProblemList()
        for (object, text) in found.sorted(by: { $0.key < $1.key }) {
            guard let definition = expected[object] else {
                list.add("the \(object) is unknown")
                continue
            }
            if text != definition, !libraryTables.contains(object) { list.add("the \(object) differs from that of this release") }
        }
        for object in expected.keys.sorted() where found[object] == nil { list.add("the \(object) is missing") }
        return list.problems
    }

    /// The tables of statistics that `ANALYZE` creates.
    private static let statistics = [
        "CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ]

    /// Returns the SQL texts of all objects by their type and name, without statistics and the indexes of constraints, which have no text.
    private static func definitions(in database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return try rows.reduce(into: [:]) { definitions, row in
            let (type, name): (String, String) = (try row.checked("type"), try row.checked("name"))
            let text: String = try row.checked("sql")
            if !statistics.contains(text) { definitions["\(type) \"\(name)\""] = text }
        }
    }

    /// Returns the tables whose text depends on the versions of SQLite and GRDB: those of indexes of texts and places, and of migrations.
    private static func libraryTables(in database: Database) throws -> Set<String> {
        let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_list WHERE type = 'shadow'") + ["grdb_migrations"]
        return Set(names.map { "table \"\($0)\"" })
    }
}
