import Foundation
import LadingTesting
import Testing

extension Journeys {
    /// Client and server are killed in the middle of transfers, at moments drawn by lot: every file comes whole, and little moves twice.
    @Suite struct KillJourneyTests {
        private enum Victim: CaseIterable { case client, server }
        private enum Way: CaseIterable { case down, up }

        private struct Round: CustomStringConvertible {
            var way: Way
            var victim: Victim
            var seed: UInt64

            var description: String { "\(way), \(victim) killed, seed \(seed)" }
        }

        /// How many run side by side: most of the time they wait for one another's ends.
        private static let width = 4
        /// Headers, and requests that brought nothing, in bytes.
        private static let overhead = 256 << 10
        /// The most that the system is taken to have kept for a client that was killed, in bytes, where it does not tell what the client had read.
        private static let unreadLimit = 8 << 20

        /// Twenty rounds; with `LADING_SOAK` two hundred.
        private static let batches = 0..<UInt64(ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 10 : 1)

        private static func rounds(of batch: UInt64) -> [Round] {
            let seed = Seeds.given ?? 1
            return (seed + 5 * batch..<seed + 5 * (batch + 1)).flatMap { seed in
                Way.allCases.flatMap { way in Victim.allCases.map { Round(way: way, victim: $0, seed: seed) } }
            }
        }

        @Test(arguments: batches) func `Transfers survive kills`(batch: UInt64) async throws {
            try await withThrowingDiscardingTaskGroup { group in
                let lanes = Dictionary(grouping: Self.rounds(of: batch).enumerated(), by: { $0.offset % Self.width }).values
                for lane in lanes {
                    group.addTask { for (_, round) in lane { try await survive(round) } }
                }
            }
        }

        @Test(arguments: Victim.allCases) private func `A download survives a kill across a link, too`(victim: Victim) async throws {
            try await survive(Round(way: .down, victim: victim, seed: 1), across: ["--link", "wifi"])
        }

        private func survive(_ round: Round, across link: [String] = []) async throws {
            let trouble = ["--faults", "10%,500,hangup", "--faults-seed", "\(round.seed)"] + link
            try await TransferScene.with(trouble: trouble) { scene, server in
                try scene.makeSource()
                if round.way == .down { try scene.serveSource() }
                var (server, client) = (server, try start(round.way, scene))
                var unread = 0

                await scene.relay.until { [moment = moment(of: round), way = round.way] up, down in (way == .down ? down : up) >= moment }
                switch round.victim {
                case .client:
                    client.signal(SIGSTOP)
                    let read = client.bytesRead
                    client.signal(SIGKILL)
                    #expect(await client.end() == -SIGKILL, "\(round)")
                    if round.way == .down { unread = Self.unread(of: scene, read: read) }
                    client = try start(round.way, scene)
                case .server:
                    await server.kill()
                    server = try await scene.restart()
                }
                let end = (code: await client.end(), error: await client.error.text())

                let counts = scene.relay.counts
                let moved = round.way == .down ? counts.down : counts.up
                #expect(end.code == 0, "\(round): \(end.error)")
                #expect(scene.isSame(round.way == .down ? scene.target : scene.stored), "\(round)")
                if round.way == .down { #expect(scene.names == ["target.bin"], "\(round)") }
                #expect(
                    moved <= TransferScene.length * 11 / 10 + Self.overhead + unread, "\(round): \(moved) bytes moved, \(unread) unread")
                await server.kill()
            }
        }

        /// How much had gone by that a client had not come to read: on its way, and with the system, which may keep tens of megabytes for it.
        private static func unread(of scene: TransferScene, read: Int?) -> Int {
            let passed = scene.relay.counts.down
            return read.map { max(0, passed - $0) } ?? min(max(0, passed - scene.received), unreadLimit)
        }

        private func start(_ way: Way, _ scene: TransferScene) throws -> RunningProgram {
            try way == .down ? scene.download() : scene.upload()
        }

        /// When so many bytes have gone by: anywhere but in the first and the last of them.
        private func moment(of round: Round) -> Int {
            var random = SeededRandom(seed: round.seed &* 31 &+ (round.way == .down ? 1 : 2) &+ (round.victim == .client ? 4 : 8))
            return Int.random(in: 1 << 20..<TransferScene.length - 1 << 20, using: &random)
        }
    }
}
