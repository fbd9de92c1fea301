import Digests
import Foundation
import LadingTesting
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import SQLiteFiles
import TemporaryFolders
import Testing

@testable import Origin
@testable import StoreFixtures

/// Tests of power cuts during commands to orders: each sector that was not synced may be written or not.
@Suite("Power cuts of orders")
struct OrderPowerCutTests {
    private static let cutCount = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 40
    private static let orderCount = 8
    private static let mina = PersonID(rawValue: "mina")
    private static let photo = ProofDigest(rawValue: SHA256.hash(data: [1]).hexString)!

    /// The events of each order, and the verdicts that were confirmed.
    private struct Content: Equatable {
        var events: [[OrderEvent]] = []
        var verdicts: [StoredVerdict?] = []
        var position: ChangePosition?
    }

    @Test func `A power cut reverts no confirmed command, and leaves none half done`() async throws {
        let seed = TestSeeds.fromEnvironment ?? 1
        var random = SeededRandom(seed: seed)
        try await withTemporaryFolder { folder in
            let database = try OriginDatabase(in: folder)
            _ = try await database.fill(with: DemoOrders(count: Self.orderCount, seed: 1), now: demoDate)
            let store = database.orders()
            for order in 1...Self.orderCount { try await store.addProof(Self.proof(of: order)) }
            var (before, old) = (try Self.disk(folder), try await Self.content(of: store, commands: 0))
            for number in 0..<Self.cutCount {
                _ = try await store.perform(try await Self.command(number, to: store), at: Self.time(number))
                let (after, new) = (try Self.disk(folder), try await Self.content(of: store, commands: number + 1))

                let isConfirmed = Bool.random(using: &random) || after.log.isEmpty
                let torn = isConfirmed ? after.cutAfterSync(since: before, &random) : after.cutBeforeSync(since: before, &random)
                let found = try await Self.content(of: torn, commands: number + 1)

                var reverted = old
                reverted.verdicts.append(nil)
                #expect(
                    found == new || (!isConfirmed && found == reverted),
                    "LADING_SEED=\(seed), command \(number), confirmed: \(isConfirmed)")
                (before, old) = (after, new)
            }
            try database.close()
        }
    }

    // MARK: - Commands

    private static func time(_ number: Int) -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + Int64(number) * 1_000) }

    /// Returns the next step of an order.
    private static func command(_ number: Int, to store: any OrderStore) async throws -> OrderStoreCommand {
        let order = 1 + number % orderCount
        let record = try #require(try await store.order(order))
        let isDispatcher = record.state.isFinal
        let step: OrderCommand =
            switch record.state {
            case .open: .claim
            case .claimed: .pickUp(record.fence, missing: ["3"])
            case .pickedUp: number % 3 == 0 ? .attempt(record.fence, .noAccess) : .arrive(record.fence)
            case .arrived: .deliver(record.fence, proofs: [photo])
            case .returning: .return(record.fence)
            case .returned, .delivered, .cancelled: .correct(to: .open, holder: nil)
            }
        let sender = OrderLifecycle.Sender(mina, role: isDispatcher ? .dispatcher : .courier, actionTime: time(number))
        return OrderStoreCommand(.lifecycle(order: order, step), from: sender, key: "\(number)", fingerprint: "\(number)")
    }

    private static func proof(of order: Int) -> Proof {
        let id = ProofID(order: order, person: mina, digest: photo)
        return Proof(
            record: ProofRecord(id: id, kind: .note, mediaType: "text/plain", length: 1, contentDigest: photo, storedTime: time(0)),
            content: [1])
    }

    // MARK: - Disks

    private static func disk(_ folder: URL) throws -> PowerCutDisk {
        let file = folder.appending(path: OriginDatabase.fileName)
        let log = try? Data(contentsOf: folder.appending(path: OriginDatabase.fileName + "-wal"))
        return PowerCutDisk(file: try Data(contentsOf: file), log: log ?? Data())
    }

    /// Returns the content of a database that is opened after the cut.
    private static func content(of disk: PowerCutDisk, commands: Int) async throws -> Content {
        try await withTemporaryFolder { folder in
            try disk.file.write(to: folder.appending(path: OriginDatabase.fileName))
            try disk.log.write(to: folder.appending(path: OriginDatabase.fileName + "-wal"))
            let database = try OriginDatabase(in: folder)
            defer { try? database.close() }
            #expect(OriginCheck.report(on: folder.appending(path: OriginDatabase.fileName)).problems == [])
            return try await content(of: database.orders(), commands: commands)
        }
    }

    private static func content(of store: any OrderStore, commands: Int) async throws -> Content {
        var content = Content(position: try await store.position())
        for order in 1...orderCount { content.events.append(try await store.history(of: order)?.events ?? []) }
        for number in 0..<commands { content.verdicts.append(try await store.verdict(forKey: "\(number)", of: mina)) }
        return content
    }
}
