#if PostgreSQL
    import Foundation
    import HTTPFieldValues
    import NIOCore
    import PostgreSQLClient
    import ServerStartup

    /// The uploads of a PostgreSQL database that several origins share: one that was begun at one origin continues at another.
    ///
    /// The content of an upload is a sequence of parts, which become the content of the file. A part is durable when it is stored.
    ///
    /// Times are those of the database, because the clocks of origins differ. A part is stored, and an upload published or removed, while its row is locked.
    struct PostgreSQLUploadStorage: UploadStorage {
        /// The maximum number of attempts to replace a file, or to make room for an upload, while others do the same.
        private static let attemptLimit = 20
        /// The time for which the content of a replaced file stays readable, in seconds.
        private static let retirementTime = 3_600
        /// The time of the database, in seconds since 1970.
        fileprivate static let time: PostgreSQLStatement = "extract(epoch FROM clock_timestamp())::float8"

        let client: PostgreSQLClient
        let sizeLimit: Int
        let limits: UploadLimits
        /// The clock for the lifetimes that are reported to clients, and for the time that received bytes wait.
        let now: @Sendable () -> Date

        static func registerMigrations(in migrator: inout PostgreSQLMigrator) {
            migrator.register("uploads", tables)
            // Apart: a transaction that locks the uploads and their parts could wait for a running server that waits for it.
            migrator.register("upload activity", activityColumn)
            migrator.register("upload space", spaceTables)
        }

        static let tables: [PostgreSQLStatement] = [
            """
            CREATE TABLE uploads (
                id text COLLATE "C" PRIMARY KEY,
                name text NOT NULL,
                preconditions text,
                length bigint CHECK (length >= 0),
                is_complete boolean NOT NULL DEFAULT false,
                created float8 NOT NULL,
                completed float8,
                client text)
            """,
            """
            CREATE TABLE upload_parts (
                upload_id text COLLATE "C" NOT NULL,
                start bigint NOT NULL CHECK (start >= 0),
                content bytea NOT NULL,
                PRIMARY KEY (upload_id, start))
            """,
            """
            CREATE TABLE uploaded_files (
                name text COLLATE "C" PRIMARY KEY,
                content_id text COLLATE "C" NOT NULL,
                length bigint NOT NULL,
                modified bigint NOT NULL)
            """,
            "CREATE TABLE retired_contents (id text COLLATE \"C\" PRIMARY KEY, retired float8 NOT NULL)",
        ]

        /// The time of the last byte of an upload, or of the last request that appends to it.
        static let activityColumn: [PostgreSQLStatement] = [
            "ALTER TABLE uploads ADD COLUMN active float8 NOT NULL DEFAULT \(time)"
        ]

        func close() {}
    }

    // MARK: - Files

    extension PostgreSQLUploadStorage {
        func file(_ name: UploadName) async throws -> (any UploadedFile)? { try await storedFile(name.text) }

        private func storedFile(_ name: String) async throws -> SharedFile? {
            let rows = try await client.read("SELECT content_id, length, modified FROM uploaded_files WHERE name = \(name)")
            return try rows.first.map {
                SharedFile(
                    client: client, contentID: try $0.value("content_id"), length: try $0.value("length"),
                    modified: try $0.value("modified"))
            }
        }
    }

    /// A file of the database.
    private struct SharedFile: UploadedFile {
        let client: PostgreSQLClient
        let contentID: String
        let length: Int
        /// In seconds since 1970.
        let modified: Int

        var tag: EntityTag { EntityTag("\"\(contentID)\"") }
        var lastModified: HTTPDate { HTTPDate(Date(timeIntervalSince1970: Double(modified))) }

        func content(from offset: Int, atMost count: Int) async throws -> ByteBuffer {
            let rows = try await client.read(
                """
                SELECT substr(content, (\(offset)::bigint - start)::int + 1, \(count)::int) AS content FROM upload_parts
                WHERE upload_id = \(contentID) AND start <= \(offset)::bigint ORDER BY start DESC LIMIT 1
                """)
            guard let bytes: [UInt8] = try rows.first?.value("content"), !bytes.isEmpty else { throw POSIXError(.EIO) }
            return ByteBuffer(bytes: bytes)
        }
    }

    // MARK: - Uploads

    extension PostgreSQLUploadStorage {
        func create(
            _ name: UploadName, length: Int?, preconditions: Preconditions?, for client: ClientAddress?
        ) async throws -> UploadRecord {
            try await removeExpired()
            try await makeRoom(for: client)
            try await requireSpace(length ?? 0, overhead: UploadLimits.overhead)
            let conditions = try preconditions.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            let rows = try await self.client.write(
                """
                INSERT INTO uploads (id, name, preconditions, length, created, client)
                VALUES (\(UploadRecord.makeID()), \(name.text), \(conditions), \(length), \(Self.time), \(client?.description))
                RETURNING \(Self.columns)
                """)
            guard let row = rows.first else { throw PostgreSQLError.unexpectedValue(column: "id") }
            return try UploadRecord(row)
        }

        func record(_ id: String) async throws -> UploadRecord? {
            try await client.read("SELECT \(Self.columns) FROM uploads WHERE id = \(id)", for: .command).first.map { try UploadRecord($0) }
        }

        private static let columns: PostgreSQLStatement = "id, name, preconditions, length, is_complete, created, completed"

        func durableOffset(of record: UploadRecord) async throws -> Int { try await offset(of: record) }

        func offset(of record: UploadRecord) async throws -> Int {
            if record.isComplete, let length = record.length { return length }
            return try await client.read(Self.storedLength(of: record.id), for: .command).first?.value("stored") ?? 0
        }

        /// The end of the last part: they are stored without gaps.
        static func storedLength(of id: String) -> PostgreSQLStatement {
            "SELECT COALESCE((SELECT start + length(content) FROM (\(lastPart(of: id))) AS last), 0) AS stored"
        }

        fileprivate static func lastPart(of id: String) -> PostgreSQLStatement {
            "SELECT start, content FROM upload_parts WHERE upload_id = \(id) ORDER BY start DESC LIMIT 1"
        }

        func writer(for record: UploadRecord, at offset: Int) async throws -> any UploadWriter {
            let rows = try await client.write(
                "UPDATE uploads SET active = \(Self.time), length = COALESCE(\(record.length), length) WHERE id = \(record.id)")
            guard rows.changedCount > 0 else { throw UploadProblem.removed }
            return PartWriter(storage: self, id: record.id, offset: offset)
        }

        func publish(_ record: UploadRecord, length: Int) async throws -> Bool? {
            for _ in 1...Self.attemptLimit {
                let existing = try await storedFile(record.name)
                guard record.preconditions?.allowsReplacing(existing) != false else { return nil }
                let rows = try await client.write(replacement(of: existing, with: record, length: length))
                if rows.changedCount > 0 {
                    try await removeExpired()
                    return existing != nil
                }
            }
            throw PostgreSQLError.outcomeUnknown("the file was replaced during each of \(Self.attemptLimit) attempts")
        }

        /// Replaces a file unless it has been replaced since it was read, or the upload is complete or removed.
        private func replacement(of existing: SharedFile?, with record: UploadRecord, length: Int) -> PostgreSQLStatement {
            let file: PostgreSQLStatement
            if let existing {
                file = """
                    UPDATE uploaded_files SET content_id = upload.id, length = \(length), modified = floor(\(Self.time)) FROM upload
                    WHERE uploaded_files.name = \(record.name) AND content_id = \(existing.contentID) RETURNING content_id
                    """
            } else {
                file = """
                    INSERT INTO uploaded_files (name, content_id, length, modified)
                    SELECT \(record.name), id, \(length), floor(\(Self.time)) FROM upload ON CONFLICT DO NOTHING RETURNING content_id
                    """
            }
            return """
                WITH upload AS (SELECT id FROM uploads WHERE id = \(record.id) AND NOT is_complete FOR UPDATE),
                    file AS (\(file)),
                    retired AS (
                        INSERT INTO retired_contents (id, retired) SELECT \(existing?.contentID)::text, \(Self.time) FROM file
                        WHERE \(existing != nil)::boolean ON CONFLICT DO NOTHING)
                UPDATE uploads SET is_complete = true, length = \(length), completed = \(Self.time) FROM file WHERE id = content_id
                """
        }

        func remove(_ id: String) async throws { try await remove(id, where: "true") }

        /// Removes an upload that meets a condition, which is evaluated while no part is stored and the upload is not published.
        private func remove(_ id: String, where condition: PostgreSQLStatement) async throws {
            try await client.write([
                "SELECT 1 FROM uploads WHERE id = \(id) FOR UPDATE",
                "DELETE FROM uploads WHERE id = \(id) AND \(condition)",
                """
                DELETE FROM upload_parts WHERE upload_id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = \(id))
                    AND NOT EXISTS (SELECT 1 FROM uploaded_files WHERE content_id = \(id))
                    AND NOT EXISTS (SELECT 1 FROM retired_contents WHERE id = \(id))
                """,
            ])
        }

        func remainingLifetime(of record: UploadRecord, isEmpty: Bool) -> Int { record.remainingLifetime(isEmpty: isEmpty, at: now()) }

        /// The condition of expired uploads, and of the oldest complete ones beyond the limit.
        private static let isExpired: PostgreSQLStatement = """
            (created < \(time) - \(UploadRecord.lifetime)
                OR NOT is_complete
                    AND (active < \(time) - \(UploadRecord.emptyLifetime) OR created < \(time) - \(UploadRecord.maxEmptyLifetime))
                    AND NOT EXISTS (SELECT 1 FROM upload_parts WHERE upload_id = uploads.id)
                OR id IN (SELECT id FROM uploads WHERE is_complete ORDER BY completed DESC OFFSET \(UploadStore.completeLimit)))
            """

        /// Removes expired uploads, and the content of files that were replaced long ago.
        private func removeExpired() async throws {
            for row in try await client.read("SELECT id FROM uploads WHERE \(Self.isExpired)") {
                try await remove(row.value("id"), where: Self.isExpired)
            }
            try await client.write(
                """
                WITH old AS (DELETE FROM retired_contents WHERE retired < \(Self.time) - \(Self.retirementTime) RETURNING id)
                DELETE FROM upload_parts USING old WHERE upload_id = old.id
                """)
        }
    }

    // MARK: - Limits

    extension PostgreSQLUploadStorage {
        /// The condition of uploads that make room for others.
        private static let isIdle: PostgreSQLStatement = "NOT is_complete AND active < \(time) - \(UploadRecord.idleTime)"

        /// Removes idle uploads while another one of a client would exceed a limit. Uploads that begin at once may exceed it by a few.
        ///
        /// - Throws: `UploadProblem.tooManyUploadsPerClient` or `.tooManyUploads` if too few are idle.
        private func makeRoom(for client: ClientAddress?) async throws {
            for _ in 1...Self.attemptLimit {
                guard let (problem, candidates) = try await exceededLimit(for: client) else { return }
                let rows = try await self.client.read(Self.idleUpload(among: candidates), for: .command)
                guard let id: String = try rows.first?.value("id") else { throw problem }
                try await remove(id, where: Self.isIdle)
            }
            throw UploadProblem.tooManyUploads
        }

        /// Returns the limit that another upload of a client would exceed, and the condition of the uploads that may make room for it.
        ///
        /// A client at its own limit gives up one of its own, and no client one for another that has more uploads.
        private func exceededLimit(for client: ClientAddress?) async throws -> (UploadProblem, PostgreSQLStatement)? {
            let rows = try await self.client.read(
                """
                SELECT count(*) AS total, count(*) FILTER (WHERE client = \(client?.description)::text) AS own FROM uploads
                WHERE NOT is_complete
                """, for: .command)
            guard let row = rows.first else { return nil }
            let ownCount: Int = try row.value("own")
            if let limit = limits.perClient, let client, ownCount >= limit {
                return (.tooManyUploadsPerClient(limit: limit), "client = \(client.description)")
            }
            guard try row.value("total") >= limits.total else { return nil }
            return (.tooManyUploads, "client_count >= \(ownCount)::bigint")
        }

        /// Of the client with most uploads the one without a byte for the longest time.
        private static func idleUpload(among candidates: PostgreSQLStatement) -> PostgreSQLStatement {
            """
            SELECT id FROM (SELECT *, count(*) OVER (PARTITION BY client) AS client_count FROM uploads WHERE NOT is_complete) AS uploads
            WHERE \(isIdle) AND \(candidates) ORDER BY client_count DESC, active LIMIT 1
            """
        }
    }

    // MARK: - Content

    /// The content of a request, stored in parts.
    private actor PartWriter: UploadWriter {
        /// The number of bytes of a part, except of the last one of a request.
        private static let partSize = 512 << 10
        /// The number of bytes below which the next part extends a part, so that many small requests do not make many rows.
        private static let smallSize = 8 << 10
        /// The time after which received bytes are stored although they are fewer than a part, in seconds.
        private static let storageInterval = 60.0

        private let storage: PostgreSQLUploadStorage
        private let id: String
        /// The offset of the part that is being received.
        private var offset: Int
        private var part: [UInt8] = []
        private var storedDate: Date

        init(storage: PostgreSQLUploadStorage, id: String, offset: Int) {
            (self.storage, self.id, self.offset) = (storage, id, offset)
            storedDate = storage.now()
        }

        func append(_ buffer: ByteBuffer) async throws {
            part += buffer.readableBytesView
            // An upload without stored bytes expires early, and one without new ones is idle: few bytes do not wait long for a whole part.
            let isDue = offset == 0 || storage.now().timeIntervalSince(storedDate) >= Self.storageInterval
            if isDue, !part.isEmpty { try await store(Array(part.prefix(Self.partSize))) }
            while part.count >= Self.partSize { try await store(Array(part.prefix(Self.partSize))) }
        }

        func checkpoint() async throws {
            if !part.isEmpty { try await store(part) }
        }

        /// Stores a part, unless the upload is complete or has other bytes there: those of a later request for it.
        ///
        /// - Throws: `UploadProblem.noSpace` or `.removed`, or `CancellationError` if the part is not stored for another reason.
        private func store(_ bytes: [UInt8]) async throws {
            // The first statement locks the upload, so that the second one sees all parts of other requests.
            let rows = try await storage.client.write([
                "UPDATE uploads SET active = \(PostgreSQLUploadStorage.time) WHERE id = \(id) AND NOT is_complete", insertion(of: bytes),
            ])
            guard rows[1].changedCount > 0 else {
                guard try await storage.record(id) != nil else { throw UploadProblem.removed }
                try await storage.requireSpace(bytes.count)
                throw CancellationError()
            }
            offset += bytes.count
            part.removeFirst(bytes.count)
            storedDate = storage.now()
        }

        /// Returns a statement that inserts a part, or extends the last one if that is small.
        private func insertion(of bytes: [UInt8]) -> PostgreSQLStatement {
            """
            INSERT INTO upload_parts (upload_id, start, content)
            SELECT id, COALESCE(
                    (SELECT start FROM (\(PostgreSQLUploadStorage.lastPart(of: id))) AS last WHERE length(content) < \(Self.smallSize)),
                    \(offset)), \(bytes)::bytea
            FROM uploads WHERE id = \(id) AND NOT is_complete
                AND (\(PostgreSQLUploadStorage.storedLength(of: id))) = \(offset)
                AND (\(PostgreSQLUploadStorage.usedSpace)) <= \(storage.limits.space - bytes.count)
            ON CONFLICT (upload_id, start) DO UPDATE SET content = upload_parts.content || excluded.content
            """
        }
    }

    extension UploadRecord {
        fileprivate init(_ row: PostgreSQLRow) throws {
            let conditions: String? = try row.optional("preconditions")
            self.init(
                id: try row.value("id"), name: try row.value("name"),
                preconditions: try conditions.map { try JSONDecoder().decode(Preconditions.self, from: Data($0.utf8)) },
                length: try row.optional("length"), isComplete: try row.value("is_complete"), createdAt: try row.value("created"),
                completedAt: try row.optional("completed"))
        }
    }
#endif
