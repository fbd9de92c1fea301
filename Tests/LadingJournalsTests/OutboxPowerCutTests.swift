import Foundation
import GRDB
import LadingOutbox
import LadingTesting
import Testing
@testable import LadingJournals
@testable import StoreFixtures

/// Tests of power cuts while an outbox journal is in use: entries are added and ended, and the program ends, is killed and restarts.
///
/// The doc comment of `SQLiteOutboxJournal` explains the durability of each confirmation. A cut before the confirmation tears the log and preserves
/// the file; a cut after it preserves the log and may tear the file. File names are not part of the test: SQLite syncs the folder with the first sync
/// of each log.
@Suite struct OutboxPowerCutTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil
    private static let cutCount = isSoak ? 500 : 30

    @Test(.timeLimit(.minutes(isSoak ? 60 : 10))) func `A power cut reverts no confirmed entry`() async throws {
        let seed = TestSeeds.fromEnvironment ?? 1
        var (workload, random) = (try OutboxWorkload(), SeededRandom(seed: seed))
        for number in 0..<Self.cutCount {
            let cut = try await workload.performStep(&random)
            let found = try await contents(of: cut.disk)

            let isRight = found == cut.new || (!cut.isConfirmed && found == cut.old)
            #expect(isRight, "LADING_SEED=\(seed), cut \(number), \(cut.step), confirmed: \(cut.isConfirmed)")
        }
        try workload.close()
    }

    /// Returns the contents of a journal that is opened after the cut; nil if its file was quarantined.
    private func contents(of disk: PowerCutDisk) async throws -> OutboxContents? {
        let folder = try StoreFolder("outbox")
        try disk.write(to: folder)
        let journal = try SQLiteOutboxJournal(at: folder.file)
        defer { try? journal.close() }
        return journal.quarantinedFile == nil ? try await journal.contents(of: "") : nil
    }
}

/// A journal with a sequence of operations.
private struct OutboxWorkload {
    enum Step: CaseIterable {
        case add, end, close, kill
    }

    /// The disk after a power cut during one step, with the expected contents of the journal.
    struct Cut {
        let step: Step
        let disk: PowerCutDisk
        /// Whether the step was confirmed before the cut.
        let isConfirmed: Bool
        /// The contents before the step.
        let old: OutboxContents
        /// The contents after the step.
        let new: OutboxContents
    }

    private static let receiptLimit = 4

    private var folder: StoreFolder
    private var journal: SQLiteOutboxJournal
    private var count = 0

    init() throws {
        folder = try StoreFolder("outbox")
        journal = try Self.open(folder)
    }

    func close() throws { try journal.close() }

    private static func open(_ folder: StoreFolder) throws -> SQLiteOutboxJournal {
        let journal = try SQLiteOutboxJournal(at: folder.file)
        // In pages; a low limit, so that many writes checkpoint and restart the log.
        try journal.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 20") }
        return journal
    }

    /// Performs a step and cuts the power during it.
    mutating func performStep(_ random: inout SeededRandom) async throws -> Cut {
        let step = Int.random(in: 0..<10, using: &random) < 8 ? Step.add : Step.allCases.randomElement(using: &random) ?? .add
        let (before, old) = (try PowerCutDisk(folder), try await journal.contents(of: ""))
        switch step {
        case .add, .end: return try await write(step, before, old, &random)
        case .close: return try restart(before, old, &random)
        case .kill: return try await kill(old)
        }
    }

    private mutating func write(
        _ step: Step, _ before: PowerCutDisk, _ old: OutboxContents, _ random: inout SeededRandom
    ) async throws -> Cut {
        if step == .end, let first = old.entries.first {
            try await journal.replaceEntry(with: OutboxReceipt(first, .sent, ended: .now), retaining: Self.receiptLimit)
        } else {
            _ = try await journal.add(entry(length: Int.random(in: 0..<6_000, using: &random)))
        }
        let (after, new) = (try PowerCutDisk(folder), try await journal.contents(of: ""))
        let isConfirmed = Bool.random(using: &random)
        let disk = isConfirmed ? after.cutAfterSync(since: before, &random) : after.cutBeforeSync(since: before, &random)
        return Cut(step: step, disk: disk, isConfirmed: isConfirmed, old: old, new: new)
    }

    /// Closes the journal and opens it again.
    private mutating func restart(_ before: PowerCutDisk, _ old: OutboxContents, _ random: inout SeededRandom) throws -> Cut {
        try journal.close()
        let after = try PowerCutDisk(folder)
        journal = try Self.open(folder)
        let disk = Bool.random(using: &random) ? after : after.cutInCheckpoint(since: before, &random)
        return Cut(step: .close, disk: disk, isConfirmed: true, old: old, new: old)
    }

    /// Kills the program, which has not synced its log, and restarts it: all contents that it reads are durable, with or without the log.
    private mutating func kill(_ old: OutboxContents) async throws -> Cut {
        let copy = try StoreFolder("outbox")
        try PowerCutDisk(folder).write(to: copy)
        try journal.close()
        (folder, journal) = (copy, try Self.open(copy))
        let (after, new) = (try PowerCutDisk(folder), try await journal.contents(of: ""))
        #expect(new == old)
        return Cut(step: .kill, disk: PowerCutDisk(file: after.file, log: Data()), isConfirmed: true, old: old, new: new)
    }

    private mutating func entry(length: Int) throws -> OutboxEntry {
        count += 1
        let url = try #require(URL(string: "https://a.example/\(count)"))
        return OutboxEntry(
            id: try #require(IdempotencyKey(rawValue: "mark-\(count)")), subject: "deliveries/\(count % 5)",
            request: OutboxRequest(url: url, body: [UInt8](repeating: UInt8(count % 251), count: length)), actionDate: .now, added: .now)
    }
}
