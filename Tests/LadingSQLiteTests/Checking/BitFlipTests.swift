import Foundation
import LadingFeeds
import LadingJournals
import LadingOutbox
import LadingSQLite
import LadingTesting
import LadingTransfers
import SQLiteFiles
import Testing
@testable import StoreFixtures

/// Tests of single flipped bits at random positions in the files of stores.
@Suite struct BitFlipTests {
    private static let count = 100

    private enum Outcome {
        /// `lading check` reports it.
        case reported
        /// The store rejects the file, or quarantines it and reports that.
        case refused
        /// All values are unchanged: the bit was in a free page or in unused bytes.
        case harmless
        /// A value has changed, and nothing is reported.
        case undetected
    }

    // MARK: Stores

    private func write(transfersTo file: URL) async throws -> [TransferRecord] {
        let journal = try SQLiteTransferJournal(at: file)
        for (number, letter) in "abcdefgh".enumerated() {
            var record = TransferRecord(
                id: try #require(TransferID(rawValue: String(repeating: letter, count: 8))), direction: .download,
                remote: try #require(URL(string: "https://a.example/\(letter)?part=\(number)")),
                file: URL(filePath: "/home/jane/\(letter).bin"), created: Date(timeIntervalSince1970: 1_000_000_000))
            (record.status, record.completed, record.total) = (.paused, number * 1_000 + 7, 1 << 20)
            (record.reason, record.version) = ("no answer", FileVersion(text: "\"tag \(number)\""))
            try await journal.save(record)
        }
        let records = try await journal.records()
        try journal.close()
        return records
    }

    private func write(outboxTo file: URL) async throws -> OutboxContents {
        let journal = try SQLiteOutboxJournal(at: file)
        for number in 0..<12 {
            let request = OutboxRequest(
                url: try #require(URL(string: "https://a.example/\(number)")), body: [UInt8](repeating: UInt8(number), count: 400))
            let entry = OutboxEntry(id: .unique(), subject: "subject \(number)", request: request, actionDate: .now, added: .now)
            guard case .inserted(let added) = try await journal.add(entry) else { throw CancellationError() }
            if number.isMultiple(of: 3) {
                try await journal.replaceEntry(with: OutboxReceipt(added, .sent, responsePrefix: [1, 2], ended: .now), retaining: 10)
            }
        }
        let contents = try await journal.contents(of: "")
        try journal.close()
        return contents
    }

    // MARK: Flips

    /// Flips bits of a file one by one, restoring the file in between.
    private func flipBits(of file: URL, as name: String, _ use: (_ bit: Int, _ bytes: Data) async throws -> Void) async throws {
        var random = SeededRandom(for: "bits of \(name)")
        let bytes = try Data(contentsOf: file)
        for _ in 0..<Self.count {
            let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            try await use(bit, changed)
        }
        try bytes.write(to: file)
    }

    /// Expects that, without the checksum of the whole file, no flip is undetected and some are reported.
    private func expectNoUndetectedFlip<Content: Equatable & Sendable>(
        of folder: StoreFolder, as name: String, holding content: Content, check: (URL) -> StoreCheck.Report,
        read: (URL) async throws -> Content?
    ) async throws {
        var counts: [Outcome: Int] = [:]
        try await flipBits(of: folder.file, as: name) { bit, bytes in
            let other = try StoreFolder(name)
            try bytes.write(to: other.file)
            let fate = await outcome(of: other.file, content, check, read)
            counts[fate, default: 0] += 1
            #expect(fate != .undetected, "bit \(bit)")
        }
        let share = 100 * counts[.reported, default: 0] / Self.count
        print("\(name): \(share) % of the changed bits are reported, \(counts[.refused, default: 0]) are refused by the store alone")
        #expect(counts[.reported, default: 0] > 0)
    }

    private func outcome<Content: Equatable & Sendable>(
        of file: URL, _ content: Content, _ check: (URL) -> StoreCheck.Report, _ read: (URL) async throws -> Content?
    ) async -> Outcome {
        guard check(file).problems.isEmpty else { return .reported }
        guard let found = try? await read(file) else { return .refused }
        return found == content ? .harmless : .undetected
    }

    @Test func `A flipped bit in a transfer journal is detected or changes no transfer`() async throws {
        let folder = try StoreFolder("transfers")
        let records = try await write(transfersTo: folder.file)

        try await expectNoUndetectedFlip(of: folder, as: "transfers", holding: records, check: StoreCheck.report(onTransfers:)) { file in
            let journal = try SQLiteTransferJournal(at: file)
            guard journal.quarantinedFile == nil, journal.corruptCount == 0 else { return nil }
            return try await journal.records()
        }
    }

    @Test func `A flipped bit in an open outbox is detected or changes no entry`() async throws {
        let folder = try StoreFolder("outbox")
        let contents = try await write(outboxTo: folder.file)

        try await expectNoUndetectedFlip(of: folder, as: "outbox", holding: contents, check: StoreCheck.report(onOutbox:)) { file in
            let journal = try SQLiteOutboxJournal(at: file)
            guard journal.quarantinedFile == nil else { return nil }
            return try await journal.contents(of: "")
        }
    }

    @Test func `Every flipped bit in a closed outbox is detected`() async throws {
        let folder = try StoreFolder("outbox")
        _ = try await write(outboxTo: folder.file)

        try await flipBits(of: folder.file, as: "closed outbox") { bit, bytes in
            try bytes.write(to: folder.file)
            #expect(!StoreCheck.report(onOutbox: folder.file).problems.isEmpty, "bit \(bit)")
        }

        #expect(StoreCheck.report(onOutbox: folder.file) == StoreCheck.Report())
    }

    @Test func `Every flipped bit in a closed record store is detected`() async throws {
        let folder = try StoreFolder()
        let store = try SQLiteRecordStore<ArchivedValue>(at: folder.file)
        try await store.put((0..<40).map { ArchivedValue(name: "value \($0)", content: Data(repeating: UInt8($0), count: 300)) })
        try store.close()

        try await flipBits(of: folder.file, as: "closed list") { bit, bytes in
            try bytes.write(to: folder.file)
            #expect(!StoreCheck.report(onDatabase: folder.file).problems.isEmpty, "bit \(bit)")
        }

        #expect(StoreCheck.report(onDatabase: folder.file) == StoreCheck.Report())
    }

    @Test func `Every flipped bit in the index or a body of a closed store is detected`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        for number in 0..<20 { _ = try await disk.write(number, count: 900, to: store) }
        _ = try await disk.write(20, count: 200_000, to: store)
        try store.close()

        let body = try #require(try disk.files.first)
        for (name, file) in [("index", disk.folder.file), ("body", body)] {
            try await flipBits(of: file, as: name) { bit, bytes in
                try bytes.write(to: file)
                #expect(!StoreCheck.report(onBodiesOf: disk.folder.url, redacting: { $0 }).problems.isEmpty, "bit \(bit) of the \(name)")
            }
        }

        #expect(StoreCheck.report(onBodiesOf: disk.folder.url, redacting: { $0 }).problems == [])
    }
}
