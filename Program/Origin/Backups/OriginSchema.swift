import GRDB
import OrderStorage
import SQLiteFiles

/// A comparison of the tables, indexes, triggers and views of a database with those that the migrations create.
///
/// A trigger in a file of somebody else could undo later writes, such as the removal of a token, and a table that refers to others could
/// prevent them. An additional index or view changes no row.
enum OriginSchema {
    /// An entry of the schema, by its type and name.
    private struct Object: Hashable, CustomStringConvertible {
        let type: String
        let name: String

        var description: String { "\(type) \"\(name)\"" }
        var isIndexOrView: Bool { ["index", "view"].contains(type) }
        /// The SQL that removes the object.
        var removal: String { "DROP \(type) \"\(name.replacing("\"", with: "\"\""))\"" }
    }

    /// The schema of this release, with the tables whose text depends on the versions of the libraries.
    private static let release = Result {
        try OriginDatabase().writer.read { (definitions: try definitions(in: $0), libraryTables: try libraryTables(in: $0)) }
    }

    /// Returns the differences with their remedies as text for users; empty if there is none but additional indexes and views.
    ///
    /// - Parameter database: A database to which all migrations have been applied.
    static func problems(in database: Database) throws -> [String] {
        let (expected, libraryTables) = try release.get()
        let found = try definitions(in: database)
        var list = ProblemList()
        for (object, text) in found.sorted(by: { $0.key.description < $1.key.description }) {
            if let definition = expected[object] {
                guard text != definition, !libraryTables.contains(object) else { continue }
                list.add("the \(object) differs from that of this release (replace it by that of a new data directory)")
            } else if !object.isIndexOrView {
                list.add("the \(object) is unknown (remove it with sqlite3: DROP \(object.type.uppercased()))")
            }
        }
        for object in expected.keys.filter({ found[$0] == nil }).map(\.description).sorted() {
            list.add("the \(object) is missing (create it as in a new data directory)")
        }
        return list.problems
    }

    /// Removes all views. The release has none, and one of an operator could prevent a migration.
    static func removeViews(in database: Database) throws {
        for object in try definitions(in: database).keys where object.type == "view" { try database.execute(sql: object.removal) }
    }

    /// Removes additional indexes, which could prevent writes.
    ///
    /// - Parameter database: A database without problems.
    static func removeAdditionalIndexes(in database: Database) throws {
        let expected = try release.get().definitions
        for object in try definitions(in: database).keys where expected[object] == nil && object.type == "index" {
            try database.execute(sql: object.removal)
        }
    }

    /// The tables of statistics that `ANALYZE` creates.
    private static let statistics = [
        "CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ]

    /// Returns the SQL texts of all objects by their type and name, without statistics and the indexes of constraints, which have no text.
    private static func definitions(in database: Database) throws -> [Object: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return try rows.reduce(into: [:]) { definitions, row in
            let (type, name): (String, String) = (try row.checked("type"), try row.checked("name"))
            let text: String = try row.checked("sql")
            if !statistics.contains(text) { definitions[Object(type: type, name: name)] = text }
        }
    }

    /// Returns the tables whose text depends on the versions of SQLite and GRDB: those of indexes of texts and places, and of migrations.
    private static func libraryTables(in database: Database) throws -> Set<Object> {
        let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_list WHERE type = 'shadow'") + ["grdb_migrations"]
        return Set(names.map { Object(type: "table", name: $0) })
    }
}
