#if DEBUG
    import Foundation
    import OrderLifecycle
    import OrderStorage
    import OrderStorageSQLite
    import SQLiteFiles

    @testable import Origin

    /// A scenario that replaces the database of an origin with a backup.
    struct RestoreScenario: FaultScenario {
        private static let date = Date(timeIntervalSince1970: 1_800_000_000)

        private let folder: URL
        private let backup: URL
        /// Whether the restore was confirmed.
        private var isRestored = false

        init(folder: URL) {
            self.folder = folder
            backup = folder.stagingDirectory.appending(path: "backup.sqlite", directoryHint: .notDirectory)
        }

        mutating func prepare() async throws {
            try await Self.makeDatabase(in: folder.stagingDirectory, person: "new")
            try OriginBackup(of: folder.stagingDirectory).write(to: backup)
            try await Self.makeDatabase(in: folder, person: "old")
        }

        private static func makeDatabase(in folder: URL, person: String) async throws {
            let database = try OriginDatabase(in: folder)
            try await database.orders().addPerson(
                Person(id: PersonID(rawValue: person), name: person, role: .courier, creationTime: Timestamp(milliseconds: 0)))
            try database.close()
        }

        mutating func run() async {
            isRestored = (try? OriginBackup(of: folder, now: { Self.date }).restore(backup)) != nil
        }

        func problems() async throws -> [String] {
            let names = try await Self.names(in: folder)
            guard names == ["new"] || names == ["old"] && !isRestored else { return ["the people are \(names)"] }
            let replaced = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("\(OriginDatabase.fileName)-replaced") && $0.last?.isNumber == true
            }
            let problems = replaced.flatMap { OriginCheck.report(on: folder.appending(path: $0)).problems }
            return names == ["new"] && replaced.isEmpty ? ["the replaced content is gone"] : problems
        }

        private static func names(in folder: URL) async throws -> [String?] {
            let database = try OriginDatabase(in: folder)
            defer { try? database.close() }
            return try await database.orders().people().map(\.name)
        }
    }
#endif
