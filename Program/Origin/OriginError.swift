package import Foundation
import GRDB
import SQLiteFiles
package import ServerStartup

/// The reasons why an origin cannot start or run. Their text includes a remedy.
package enum OriginError: Error {
    case startup(StartupError)
    case directoryUnavailable(DirectoryLock.Failure)
    /// The database was migrated by a later release, and is unchanged.
    case newerSchema(URL, migrations: [String])
    /// A program that uses the database has not migrated it to this release.
    case earlierSchema(URL)
    /// The disk has no space to open the database, or to migrate it.
    case diskFull(URL)
    /// The database cannot be used; the file is nil for a database in memory.
    case databaseUnavailable(URL?, cause: any Error)
    /// The data directory has no database.
    case noDatabase(URL)
    case sharedDatabaseUnavailable(SharedDatabase.Failure)
    case outOfRange(option: String, value: Int, allowed: ClosedRange<Int>)
    case stopped(cause: any Error)
}

extension OriginError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .startup(let error):
            error.description
        case .directoryUnavailable(let failure):
            failure.description
        case .newerSchema(let file, let migrations):
            """
            \(file.path) was written by a newer release (\(migrations.joined(separator: ", "))) and was not changed: \
            update this program, or choose another directory with --data.
            """
        case .earlierSchema(let file):
            """
            \(file.path) is used by a server of an earlier release, or one that has not started yet, and was not changed: \
            restart the server with this release, or try again.
            """
        case .diskFull(let file):
            """
            Cannot use the database \(file.path), because the disk is full: \
            free up space, or choose another directory with --data.
            """
        case .databaseUnavailable(let file, let cause):
            """
            Cannot use the database \(file?.path ?? "in memory") (\(cause)): \
            \(isCorrupt ? "restore a backup with lading restore, or " : "")move it to another place with its -wal file, \
            or choose another directory with --data.
            """
        case .noDatabase(let directory): "\(directory.path) has no orders: choose another directory with --data."
        case .sharedDatabaseUnavailable(let failure): failure.description
        case .outOfRange(let option, let value, let allowed):
            "\(option) must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(value)."
        case .stopped(let cause):
            "The origin stopped unexpectedly: \(cause). Start it again."
        }
    }
}

extension OriginError {
    /// Whether the error was caused by a full disk.
    var isDiskFull: Bool {
        switch self {
        case .diskFull: true
        case .directoryUnavailable(let failure): failure.isDiskFull
        default: false
        }
    }

    /// Whether the database is damaged, or no database.
    var isCorrupt: Bool {
        if case .databaseUnavailable(_, let cause as DatabaseError) = self { cause.isCorrupt } else { false }
    }
}
