import Foundation
import HTTPTypes
import LadingOutbox
import Testing

/// The context of a case: a journal, and the source location of its issues.
struct OutboxTestContext: Sendable {
    let journal: any OutboxJournal
    let sourceLocation: SourceLocation

    func entry(_ key: String, of partition: String = "") throws -> OutboxEntry {
        let url = try #require(URL(string: "https://example.org/v1/deliveries/%C3%BC/favourite?a=b%20c"), sourceLocation: sourceLocation)
        let request = OutboxRequest(url: url, headers: [.contentType: "application/json", .accept: "a: b, c"], body: Array(0...255))
        return OutboxEntry(
            id: try #require(IdempotencyKey(rawValue: key), sourceLocation: sourceLocation), partition: partition, subject: "of \(key)",
            request: request, actionDate: Date(timeIntervalSince1970: 1_778_846_400.123),
            added: Date(timeIntervalSince1970: 1_778_846_461.7),
            supersedesPrevious: true)
    }

    /// Adds an entry and returns it with its position.
    @discardableResult
    func add(_ key: String, of partition: String = "") async throws -> OutboxEntry {
        let expected = try entry(key, of: partition)
        guard case .inserted(let added) = try await journal.add(expected) else {
            Issue.record("\(key) was taken for known", sourceLocation: sourceLocation)
            return expected
        }
        return added
    }

    func receipt(_ entry: OutboxEntry, _ outcome: OutboxReceipt.Outcome = .sent, reason: String? = nil) -> OutboxReceipt {
        OutboxReceipt(
            entry, outcome, reason: reason, responsePrefix: outcome == .sent ? [0, 200, 255] : [],
            ended: Date(timeIntervalSince1970: 1_778_846_500.5))
    }

    func contents(of partition: String = "") async throws -> OutboxContents { try await journal.contents(of: partition) }

    func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value) {
        #expect(actual == expected, sourceLocation: sourceLocation)
    }
}

extension OutboxJournalConformance.Case {
    static let all = [
        Self("Entries are read back as they were, in the order in which they were added") { trial in
            let added = [try await trial.add("c"), try await trial.add("a"), try await trial.add("b")]

            let contents = try await trial.contents()
            trial.expectEqual(contents, OutboxContents(entries: added))
            trial.expectEqual(contents.entries.map(\.id.rawValue), ["c", "a", "b"])
            trial.expectEqual(added.map(\.position), added.map(\.position).sorted())
            trial.expectEqual(Set(added.map(\.position)).count, 3)
            var plain = added[0]
            plain.position = 0
            trial.expectEqual(plain, try trial.entry("c"))
        },
        Self("A known key adds nothing and returns its entry or receipt") { trial in
            let added = try await trial.add("a")
            let other = OutboxEntry(
                id: added.id, subject: "another", request: added.request, actionDate: added.actionDate, added: added.added)
            trial.expectEqual(try await trial.journal.add(other), .alreadyPending(added))

            let receipt = trial.receipt(added)
            try await trial.journal.replaceEntry(with: receipt, retaining: 10)
            trial.expectEqual(try await trial.journal.add(other), .alreadyEnded(receipt))
            trial.expectEqual(try await trial.contents(), OutboxContents(receipts: [receipt]))
        },
        Self("Attempts and failures are stored except for ended entries") { trial in
            var added = try await trial.add("a")
            (added.attempts, added.lastFailure) = (3, "cannot reach example.org")
            try await trial.journal.update(added)
            trial.expectEqual(try await trial.contents().entries, [added])

            try await trial.journal.replaceEntry(with: trial.receipt(added), retaining: 10)
            try await trial.journal.update(added)
            trial.expectEqual(try await trial.contents().entries, [])
        },
        Self("Receipts are read back unchanged and the oldest are evicted") { trial in
            var receipts: [OutboxReceipt] = []
            for (key, outcome) in [("a", OutboxReceipt.Outcome.sent), ("b", .refused), ("c", .superseded), ("d", .expired)] {
                let receipt = trial.receipt(try await trial.add(key), outcome, reason: outcome == .refused ? "no" : nil)
                try await trial.journal.replaceEntry(with: receipt, retaining: 3)
                receipts.append(receipt)
            }

            trial.expectEqual(try await trial.contents(), OutboxContents(receipts: Array(receipts.dropFirst())))
            // The key of an evicted receipt counts as new.
            try await trial.add("a")
        },
        Self("A position is never reused") { trial in
            let first = try await trial.add("a")
            try await trial.journal.replaceEntry(with: trial.receipt(first), retaining: 0)

            let second = try await trial.add("b")

            trial.expectEqual(second.position > first.position, true)
            trial.expectEqual(try await trial.contents(), OutboxContents(entries: [second]))
        },
        Self("Partitions do not see one another") { trial in
            let (mine, yours) = (try await trial.add("a", of: "me"), try await trial.add("a", of: "you"))
            try await trial.journal.replaceEntry(with: trial.receipt(try await trial.add("b", of: "you")), retaining: 10)
            try await trial.journal.replaceEntry(with: trial.receipt(mine), retaining: 0)

            trial.expectEqual(try await trial.contents(of: "me"), OutboxContents())
            trial.expectEqual(try await trial.contents(of: "you").entries, [yours])
            trial.expectEqual(try await trial.contents(of: "you").receipts.map(\.id.rawValue), ["b"])
            trial.expectEqual(try await trial.contents(), OutboxContents())
        },
        Self("Concurrent additions are all stored") { trial in
            try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<50 { group.addTask { _ = try await trial.journal.add(trial.entry("key-\(number % 25)")) } }
            }

            let entries = try await trial.contents().entries
            trial.expectEqual(Set(entries.map(\.id.rawValue)), Set((0..<25).map { "key-\($0)" }))
            trial.expectEqual(entries.count, 25)
            trial.expectEqual(entries.map(\.position), Set(entries.map(\.position)).sorted())
        },
    ]
}
