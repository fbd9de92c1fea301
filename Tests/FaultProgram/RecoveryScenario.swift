import Foundation
import GRDB
import LadingJournals
import LadingOutbox

/// A scenario that quarantines and copies a damaged outbox whose entries are all readable.
struct RecoveryScenario: FaultScenario {
    private static let pageSize = 4_096
    private static let count = 3

    private let file: URL

    init(folder: URL) {
        file = OutboxScenario.file(in: folder)
    }

    mutating func prepare() async throws {
        let journal = try SQLiteOutboxJournal(at: file)
        for number in 0..<Self.count { _ = try await journal.add(OutboxScenario.entry(number)) }
        try journal.close()
        let page = try Self.indexPage(of: file)
        var bytes = try Data(contentsOf: file)
        let start = (page - 1) * Self.pageSize
        bytes.replaceSubrange(start..<start + 64, with: [UInt8](repeating: 0xFF, count: 64))
        try bytes.write(to: file)
    }

    /// Returns the page of an index, which is not read when the rows of its table are listed.
    private static func indexPage(of file: URL) throws -> Int {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.inDatabase { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_receipts_1'") ?? 0
        }
    }

    mutating func run() async {
        guard let journal = try? SQLiteOutboxJournal(at: file) else { return }
        try? journal.close()
    }

    func problems() async throws -> [String] {
        let journal = try SQLiteOutboxJournal(at: file)
        defer { try? journal.close() }
        let numbers = Set(try await journal.contents(of: "").entries.compactMap(OutboxScenario.number(of:)))
        return Set(0..<Self.count).subtracting(numbers).sorted().map { "write \($0) is gone" }
    }
}
