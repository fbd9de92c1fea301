import Foundation
import LadingConformance
import LadingJournals
import LadingOutbox

/// A scenario that adds and ends outbox entries after a kill.
struct OutboxScenario: FaultScenario {
    private let folder: URL
    private var added: Set<Int> = []
    /// The entries that were to end, and those whose end was confirmed.
    private var endAttempts: Set<Int> = []
    private var ended: Set<Int> = []

    init(folder: URL) {
        self.folder = folder
    }

    mutating func prepare() async throws {
        let journal = try SQLiteOutboxJournal(at: Self.file(in: folder.stagingDirectory))
        for number in 0..<3 {
            _ = try await journal.add(Self.entry(number))
            added.insert(number)
        }
        try folder.stagingDirectory.copyContents(to: folder)
        try journal.close()
    }

    mutating func run() async {
        guard let journal = try? SQLiteOutboxJournal(at: Self.file(in: folder)) else { return }
        for number in 3..<6 where (try? await journal.add(Self.entry(number))) != nil { added.insert(number) }
        for number in [0, 4] {
            endAttempts.insert(number)
            let receipt = OutboxReceipt(Self.entry(number), .sent, ended: Self.date)
            if (try? await journal.replaceEntry(with: receipt, retaining: 10)) != nil { ended.insert(number) }
        }
        try? journal.close()
    }

    func problems() async throws -> [String] {
        let journal = try SQLiteOutboxJournal(at: Self.file(in: folder))
        defer { try? journal.close() }
        let contents = try await journal.contents(of: "")
        let waiting = Set(contents.entries.compactMap(Self.number(of:)))
        let receipts = Set(contents.receipts.compactMap { Self.number(in: $0.id) })
        var problems = journal.quarantinedFile == nil ? [] : ["the file was set aside"]
        if waiting.count < contents.entries.count { problems.append("an entry is not as it was added") }
        for number in added where !waiting.contains(number) && !receipts.contains(number) { problems.append("write \(number) is gone") }
        for number in waiting.intersection(receipts) { problems.append("write \(number) is half ended") }
        for number in receipts.subtracting(endAttempts) { problems.append("write \(number) has ended by itself") }
        for number in ended.subtracting(receipts) { problems.append("the end of write \(number) is gone") }
        return problems
    }
}

extension OutboxScenario {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    static func file(in folder: URL) -> URL { folder.appending(path: "outbox.sqlite", directoryHint: .notDirectory) }

    static func entry(_ number: Int) -> OutboxEntry {
        let request = OutboxRequest(url: URL(string: "https://example.org/\(number)")!, body: BlobGenerator.body(number, count: 3_000))
        return OutboxEntry(
            id: IdempotencyKey(rawValue: "write-\(number)")!, subject: "\(number)", request: request, actionDate: date, added: date)
    }

    /// Returns the number of an entry; nil if it differs from the added one.
    static func number(of entry: OutboxEntry) -> Int? {
        guard let number = number(in: entry.id), entry.request == Self.entry(number).request else { return nil }
        return number
    }

    private static func number(in key: IdempotencyKey) -> Int? { Int(key.rawValue.dropFirst("write-".count)) }
}
