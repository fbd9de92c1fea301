import FileAccess
import FileChecksums
package import Foundation
import GRDB
import LadingCaching
package import SQLiteFiles

extension StoreCheck {
    /// The number of blocks of a body that are read at once.
    private static let blockCount = 16

    /// Verifies the blob store in a directory, including its bodies.
    ///
    /// - Parameter redacting: Removes secrets from the group of a body, such as a URL.
    package static func report(onBodiesOf directory: URL, redacting: (String) -> String) -> Report {
        let index = directory.appending(path: BlobStorage.indexName, directoryHint: .notDirectory)
        do {
            let integrityProblems = try integrityProblems(of: index)
            guard integrityProblems.isEmpty else { return Report(problems: integrityProblems) }
            let database = try reader(of: index)
            defer { try? database.close() }
            let files = BodyFiles(folder: directory.appending(path: BlobStorage.bodiesName, directoryHint: .isDirectory))
            let found = try database.read { try bodyProblems($0, in: files, redacting) }
            // A program that uses the store may have removed a body after its entry was read: that is no damage.
            let versions = try database.read { try Int64.fetchSet($0, sql: "SELECT version FROM blobs") }
            let damaged = found.filter { versions.contains($0.version) }.map(\.text)
            return try Report(problems: damaged.isEmpty && ChecksumFile(of: index).isValid() == false ? [changeProblem] : damaged)
        } catch {
            return Report(error)
        }
    }

    /// A problem of a stored body.
    private struct BodyProblem {
        /// The version by which the index identifies the body.
        let version: Int64
        let text: String
    }

    /// Returns the problems of at most `problemLimit` bodies.
    private static func bodyProblems(_ database: Database, in files: BodyFiles, _ redacting: (String) -> String) throws -> [BodyProblem] {
        let tables = BlobTables(database, salt: try BlobTables.salt(of: database))
        var problems: [BodyProblem] = []
        try tables.forEachBlob { version, blob in
            guard problems.count < problemLimit else { return }
            guard let blob else { return problems.append(BodyProblem(version: version, text: "checksum mismatch of an entry")) }
            guard try !isValid(blob, in: files, tables) else { return }
            let name = redacting(blob.key.group)
            problems.append(BodyProblem(version: version, text: "checksum mismatch of the body of \(name)"))
        }
        return problems
    }

    /// Whether the content of a body, in the index or in a file, has its recorded length and checksums.
    private static func isValid(_ blob: Blob, in files: BodyFiles, _ tables: BlobTables) throws -> Bool {
        guard let location = try tables.location(of: blob.version), location.length == blob.length,
            location.checksums.count == BodyBlocks.count(of: blob.length)
        else { return false }
        guard let number = location.file else {
            let content = location.content ?? []
            return content.count == blob.length && BodyBlocks.checksums(of: content) == location.checksums
        }
        guard let file = try? RandomAccessFile.openForReading(files.url(of: number)), try file.length == blob.length else { return false }
        for first in stride(from: 0, to: location.checksums.count, by: blockCount) {
            let blocks = first..<min(first + blockCount, location.checksums.count)
            let range = blocks.lowerBound * BodyBlocks.size..<min(blocks.upperBound * BodyBlocks.size, blob.length)
            guard try BodyBlocks.checksums(of: file.read(range)).elementsEqual(location.checksums[blocks]) else { return false }
        }
        return true
    }
}
