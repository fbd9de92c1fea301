import GRDB
import SQLiteFiles
import Testing

/// The repetition of work on a file that SQLite reports as damaged, which a failed read of the disk causes too.
@Suite struct RepeatedOpeningTests {
    private struct Script {
        var errors: [DatabaseError?]
        private(set) var count = 0

        mutating func run() throws -> Int {
            count += 1
            if !errors.isEmpty, let error = errors.removeFirst() { throw error }
            return count
        }
    }

    private let corrupt = DatabaseError(resultCode: .SQLITE_CORRUPT)

    @Test func `Damage that a second attempt does not find is no damage`() throws {
        var script = Script(errors: [corrupt])

        #expect(try SQLiteFile.repeatingIfCorrupt { try script.run() } == 2)
    }

    @Test func `Damage that a second attempt finds too is thrown`() {
        var script = Script(errors: [corrupt, corrupt])

        #expect(throws: DatabaseError.self) { try SQLiteFile.repeatingIfCorrupt { try script.run() } }
        #expect(script.count == 2)
    }

    @Test func `Work that fails otherwise is not repeated`() {
        var script = Script(errors: [DatabaseError(resultCode: .SQLITE_IOERR)])

        #expect(throws: DatabaseError.self) { try SQLiteFile.repeatingIfCorrupt { try script.run() } }
        #expect(script.count == 1)
    }
}
