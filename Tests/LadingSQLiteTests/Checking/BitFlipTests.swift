import Foundation
import LadingCaching
import LadingFeeds
import LadingHTTP
import LadingSQLite
import LadingTesting
import Testing

/// Single bits that change in the files of stores, at places that are drawn by lot.
@Suite struct BitFlipTests {
    private static let count = 100

    private enum Fate {
        /// `lading check` reports it.
        case reported
        /// The store refuses the file, or sets it aside and reports that.
        case refused
        /// Everything reads as it was written: the bit was in a free page or in unused bytes.
        case harmless
        /// Something reads differently, and nobody reports it.
        case silent
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
            let entry = OutboxEntry(id: .unique(), subject: "subject \(number)", request: request, action: .now, added: .now)
            guard case .added(let added) = try await journal.add(entry) else { throw CancellationError() }
            if number.isMultiple(of: 3) { try await journal.end(OutboxReceipt(added, .sent, answer: [1, 2], ended: .now), keeping: 10) }
        }
        let contents = try await journal.contents(of: "")
        try journal.close()
        return contents
    }

    // MARK: Flips

    /// Changes bits of a file one after the other, with the file as it was in between.
    private func flip(_ file: URL, as name: String, _ use: (_ bit: Int, _ bytes: Data) async throws -> Void) async throws {
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

    /// Expects that no flip of a file without the checksum of the whole is silent, and that some are reported.
    private func expectNoSilentFlip<Content: Equatable & Sendable>(
        of folder: StoreFolder, as name: String, holding content: Content, check: (URL) -> [String],
        read: (URL) async throws -> Content?
    ) async throws {
        var counts: [Fate: Int] = [:]
        try await flip(folder.file, as: name) { bit, bytes in
            let other = try StoreFolder(name)
            try bytes.write(to: other.file)
            let fate = await fate(of: other.file, content, check, read)
            counts[fate, default: 0] += 1
            #expect(fate != .silent, "bit \(bit)")
        }
        let share = 100 * counts[.reported, default: 0] / Self.count
        print("\(name): \(share) % of the changed bits are reported, \(counts[.refused, default: 0]) are refused by the store alone")
        #expect(counts[.reported, default: 0] > 0)
    }

    private func fate<Content: Equatable & Sendable>(
        of file: URL, _ content: Content, _ check: (URL) -> [String], _ read: (URL) async throws -> Content?
    ) async -> Fate {
        guard check(file).isEmpty else { return .reported }
        guard let found = try? await read(file) else { return .refused }
        return found == content ? .harmless : .silent
    }

    @Test func `A changed bit in the journal of transfers is found, or changes no transfer`() async throws {
        let folder = try StoreFolder("transfers")
        let records = try await write(transfersTo: folder.file)

        try await expectNoSilentFlip(of: folder, as: "transfers", holding: records, check: StoreCheck.faults(ofTransfers:)) { file in
            let journal = try SQLiteTransferJournal(at: file)
            guard journal.setAside == nil, journal.damagedCount == 0 else { return nil }
            return try await journal.records()
        }
    }

    @Test func `A changed bit in an outbox that was not closed is found, or changes no write`() async throws {
        let folder = try StoreFolder("outbox")
        let contents = try await write(outboxTo: folder.file)

        try await expectNoSilentFlip(of: folder, as: "outbox", holding: contents, check: StoreCheck.faults(ofOutbox:)) { file in
            let journal = try SQLiteOutboxJournal(at: file)
            guard journal.setAside == nil else { return nil }
            return try await journal.contents(of: "")
        }
    }

    @Test func `Every changed bit in an outbox that was closed is found`() async throws {
        let folder = try StoreFolder("outbox")
        _ = try await write(outboxTo: folder.file)

        try await flip(folder.file, as: "closed outbox") { bit, bytes in
            try bytes.write(to: folder.file)
            #expect(!StoreCheck.faults(ofOutbox: folder.file).isEmpty, "bit \(bit)")
        }

        #expect(StoreCheck.faults(ofOutbox: folder.file) == [])
    }

    @Test func `Every changed bit in a list that was closed is found`() async throws {
        let folder = try StoreFolder()
        let store = try SQLiteRecordStore<ArchivedValue>(at: folder.file)
        try await store.put((0..<40).map { ArchivedValue(name: "value \($0)", content: Data(repeating: UInt8($0), count: 300)) })
        try store.close()

        try await flip(folder.file, as: "closed list") { bit, bytes in
            try bytes.write(to: folder.file)
            #expect(!StoreCheck.faults(ofDatabase: folder.file).isEmpty, "bit \(bit)")
        }

        #expect(StoreCheck.faults(ofDatabase: folder.file) == [])
    }

    @Test func `Every changed bit in the index and in a body of a store that was closed is found`() async throws {
        let disk = try BlobDisk()
        let store = try disk.open()
        for number in 0..<20 { _ = try await disk.write(number, count: 900, to: store) }
        _ = try await disk.write(20, count: 200_000, to: store)
        try store.close()

        let body = try #require(try disk.files.first)
        for (name, file) in [("index", disk.folder.file), ("body", body)] {
            try await flip(file, as: name) { bit, bytes in
                try bytes.write(to: file)
                #expect(!StoreCheck.faults(ofBodiesIn: disk.folder.url).isEmpty, "bit \(bit) of the \(name)")
            }
        }

        #expect(StoreCheck.faults(ofBodiesIn: disk.folder.url) == [])
    }
}
