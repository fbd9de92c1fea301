#if PostgreSQL
    import PostgreSQLClient

    /// The space of files and uploads, which triggers of the database count, whichever program changes the rows.
    extension PostgreSQLUploadStorage {
        /// The tables and triggers of the space. The triggers lock their tables before the last statement counts what is there.
        static let spaceTables: [PostgreSQLStatement] =
            spaceTable + triggers(adding: "length(content)", of: "upload_parts", to: "bytes")
            + triggers(adding: "1", of: "uploaded_files", to: "files") + firstCount

        private static let rowCount = 16

        /// The numbers of bytes and files are sums over rows. A connection changes one of them, so that transactions seldom wait for others.
        private static let spaceTable: [PostgreSQLStatement] = [
            """
            CREATE TABLE upload_space (
                number bigint PRIMARY KEY,
                bytes bigint NOT NULL DEFAULT 0,
                files bigint NOT NULL DEFAULT 0)
            """,
            "INSERT INTO upload_space (number) SELECT generate_series(0, \(sql: "\(rowCount - 1)"))",
            "CREATE INDEX uploaded_files_by_content ON uploaded_files (content_id)",
        ]

        /// Returns a function and its triggers, which add a value of each row of a table to a column of the space.
        private static func triggers(adding value: String, of table: String, to column: String) -> [PostgreSQLStatement] {
            let function: PostgreSQLStatement = """
                CREATE FUNCTION count_\(sql: table)() RETURNS trigger LANGUAGE plpgsql AS $$
                DECLARE change bigint := 0;
                BEGIN
                    IF TG_OP <> 'DELETE' THEN change := (SELECT COALESCE(SUM(\(sql: value)), 0) FROM added); END IF;
                    IF TG_OP <> 'INSERT' THEN change := change - (SELECT COALESCE(SUM(\(sql: value)), 0) FROM removed); END IF;
                    IF change <> 0 THEN
                        UPDATE upload_space SET \(sql: column) = \(sql: column) + change WHERE number = pg_backend_pid() % \(sql: "\(rowCount)");
                    END IF;
                    RETURN NULL;
                END $$
                """
            let events: KeyValuePairs = [
                "INSERT": "NEW TABLE AS added", "UPDATE": "OLD TABLE AS removed NEW TABLE AS added", "DELETE": "OLD TABLE AS removed",
            ]
            let triggers = events.map { event, rows -> PostgreSQLStatement in
                """
                CREATE TRIGGER counting_\(sql: event) AFTER \(sql: event) ON \(sql: table) REFERENCING \(sql: rows)
                FOR EACH STATEMENT EXECUTE FUNCTION count_\(sql: table)()
                """
            }
            return [function] + triggers
        }

        private static let firstCount: [PostgreSQLStatement] = [
            """
            UPDATE upload_space SET bytes = (SELECT COALESCE(SUM(length(content)), 0) FROM upload_parts),
                files = (SELECT count(*) FROM uploaded_files)
            WHERE number = 0
            """
        ]

        /// The number of bytes of all files and uploads, with their overheads. Parts that are stored at once may exceed the limit together.
        static var usedSpace: PostgreSQLStatement {
            """
            SELECT (SUM(bytes) + \(UploadLimits.overhead)::bigint
                * (SUM(files) + (SELECT count(*) FROM uploads WHERE NOT is_complete)))::bigint AS used FROM upload_space
            """
        }

        /// - Throws: `UploadProblem.noSpace`.
        func requireSpace(_ length: Int, overhead: Int = 0) async throws {
            let rows = try await client.read(Self.usedSpace, for: .command)
            guard let used: Int = try rows.first?.value("used"), length <= limits.space - used - overhead else {
                throw UploadProblem.noSpace(limit: limits.space)
            }
        }
    }
#endif
