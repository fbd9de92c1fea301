#if PostgreSQL
    import OrderStorage
    import PostgreSQLClient

    /// A comparison of files and incomplete uploads with the parts of their contents.
    struct PostgreSQLUploadVerification {
        private let client: PostgreSQLClient

        init(_ client: PostgreSQLClient) { self.client = client }

        /// The contents, with their sizes; one has a gap if a part does not begin at the end of the part before it.
        private static let contents: PostgreSQLStatement = """
            contents AS (
                SELECT upload_id, SUM(size) AS size, bool_or(start <> expected) AS has_gap FROM (
                    SELECT upload_id, start, length(content) AS size, COALESCE(SUM(length(content)) OVER (
                        PARTITION BY upload_id ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected
                    FROM upload_parts) AS parts
                GROUP BY upload_id)
            """

        /// Returns the problems as text for users.
        func problems() async throws -> [String] {
            try await client.withSnapshot { snapshot in
                var list = ProblemList()
                for problem in try await Self.problemsOfFiles(in: snapshot) { list.add(problem) }
                for problem in try await Self.problemsOfUploads(in: snapshot) { list.add(problem) }
                return list.problems
            }
        }

        private static func problemsOfFiles(in snapshot: PostgreSQLSnapshot) async throws -> [String] {
            let rows = try await snapshot.read(
                """
                WITH \(contents)
                SELECT name, length, COALESCE(size, 0) AS size, COALESCE(has_gap, false) AS has_gap
                FROM uploaded_files LEFT JOIN contents ON upload_id = content_id
                WHERE COALESCE(has_gap, false) OR COALESCE(size, 0) <> length ORDER BY name LIMIT \(ProblemList.limit)
                """)
            return try rows.map { row in
                let (name, size, length): (String, Int, Int) = (try row.value("name"), try row.value("size"), try row.value("length"))
                return try row.value("has_gap")
                    ? "the parts of the file \(name) have a gap" : "the file \(name) has \(size) bytes in place of \(length)"
            }
        }

        private static func problemsOfUploads(in snapshot: PostgreSQLSnapshot) async throws -> [String] {
            let rows = try await snapshot.read(
                """
                WITH \(contents)
                SELECT name, size, length, has_gap FROM uploads JOIN contents ON upload_id = id
                WHERE NOT is_complete AND (has_gap OR size > length) ORDER BY name, id LIMIT \(ProblemList.limit)
                """)
            return try rows.map { row in
                let (name, size, length): (String, Int, Int?) = (try row.value("name"), try row.value("size"), try row.optional("length"))
                return try row.value("has_gap")
                    ? "the parts of the incomplete upload of \(name) have a gap"
                    : "the incomplete upload of \(name) has \(size) bytes of \(length ?? 0)"
            }
        }
    }
#endif
