import Foundation
import LadingTesting
import Testing

extension Journeys {
    /// Kills of client and server at random points of transfers: every file arrives complete, and few bytes are sent twice.
    @Suite struct KillJourneyTests {
        private enum KilledProcess: CaseIterable { case client, server }
        private enum Direction: CaseIterable { case down, up }

        private struct Scenario: CustomStringConvertible {
            var direction: Direction
            var killedProcess: KilledProcess
            var seed: UInt64

            var description: String { "\(direction), \(killedProcess) killed, seed \(seed)" }
        }

        /// The number of concurrent scenarios, which mostly wait for processes to exit.
        private static let concurrency = 4
        /// The allowance for headers and requests without progress, in bytes.
        private static let overhead = 256 << 10
        /// The assumed maximum of bytes that a killed client had not read, where the system does not report it.
        private static let unreadLimit = 8 << 20

        /// The batches of 20 scenarios each: one, or ten with `LADING_SOAK`.
        private static let batches = 0..<UInt64(ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 10 : 1)

        private static func scenarios(of batch: UInt64) -> [Scenario] {
            let seed = TestSeeds.fromEnvironment ?? 1
            return (seed + 5 * batch..<seed + 5 * (batch + 1)).flatMap { seed in
                Direction.allCases.flatMap { way in KilledProcess.allCases.map { Scenario(direction: way, killedProcess: $0, seed: seed) } }
            }
        }

        @Test(arguments: batches) func `Transfers survive kills`(batch: UInt64) async throws {
            try await withThrowingDiscardingTaskGroup { group in
                let lanes = Dictionary(grouping: Self.scenarios(of: batch).enumerated(), by: { $0.offset % Self.concurrency }).values
                for lane in lanes {
                    group.addTask { for (_, round) in lane { try await transfer(surviving: round) } }
                }
            }
        }

        @Test(arguments: KilledProcess.allCases) private func `A download survives a kill across a link, too`(victim: KilledProcess)
            async throws
        {
            try await transfer(surviving: Scenario(direction: .down, killedProcess: victim, seed: 1), across: ["--link", "wifi"])
        }

        private func transfer(surviving scenario: Scenario, across link: [String] = []) async throws {
            let simulationOptions = ["--faults", "10%,500,hangup", "--faults-seed", "\(scenario.seed)"] + link
            try await TransferFixture.with(simulationOptions: simulationOptions) { scene, server in
                try scene.makeSource()
                if scenario.direction == .down { try scene.serveSource() }
                var (server, client) = (server, try start(scenario.direction, with: scene))
                var unread = 0

                await scene.proxy.wait { [moment = killOffset(of: scenario), way = scenario.direction] up, down in
                    (way == .down ? down : up) >= moment
                }
                switch scenario.killedProcess {
                case .client:
                    client.signal(SIGSTOP)
                    let read = client.bytesRead
                    client.signal(SIGKILL)
                    #expect(await client.waitForExit() == -SIGKILL, "\(scenario)")
                    if scenario.direction == .down { unread = Self.unread(of: scene, read: read) }
                    client = try start(scenario.direction, with: scene)
                case .server:
                    await server.kill()
                    server = try await scene.restart()
                }
                let end = (code: await client.waitForExit(), error: await client.error.text())

                let counts = scene.proxy.counts
                let moved = scenario.direction == .down ? counts.down : counts.up
                #expect(end.code == 0, "\(scenario): \(end.error)")
                #expect(scene.isSame(scenario.direction == .down ? scene.target : scene.stored), "\(scenario)")
                if scenario.direction == .down { #expect(scene.names == ["target.bin"], "\(scenario)") }
                #expect(
                    moved <= TransferFixture.length * 11 / 10 + Self.overhead + unread,
                    "\(scenario): \(moved) bytes moved, \(unread) unread")
                await server.kill()
            }
        }

        /// Returns the number of relayed bytes that a client had not read. Socket buffers can hold tens of megabytes of them.
        private static func unread(of scene: TransferFixture, read: Int?) -> Int {
            let passed = scene.proxy.counts.down
            return read.map { max(0, passed - $0) } ?? min(max(0, passed - scene.received), unreadLimit)
        }

        private func start(_ direction: Direction, with scene: TransferFixture) throws -> ChildProcess {
            try direction == .down ? scene.download() : scene.upload()
        }

        /// Returns the number of relayed bytes at which a process is killed, outside the first and the last MiB.
        private func killOffset(of scenario: Scenario) -> Int {
            var random = SeededRandom(
                seed: scenario.seed &* 31 &+ (scenario.direction == .down ? 1 : 2) &+ (scenario.killedProcess == .client ? 4 : 8))
            return Int.random(in: 1 << 20..<TransferFixture.length - 1 << 20, using: &random)
        }
    }
}
