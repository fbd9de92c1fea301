import Foundation
import LadingTesting
import TemporaryFolders
import Testing

extension ServerJourneys {
    /// The simulated people of `lading run --simulate`.
    @Suite struct SimulatedCityJourneyTests {
        @Test func `Simulated couriers deliver orders with pictures, and go on with them after a restart`() async throws {
            try await withTemporaryFolder { folder in
                let first = try await start(in: folder)
                let token = try await first.api.signIn("Ada", isDispatcher: true)
                try await wait(first.api, token) { $0["delivered"] ?? 0 >= 3 && $0["claimed"] ?? 0 > 0 }
                let order = try #require(try await delivered(first.api, token))
                let history = try await first.api.json("orders/\(order)/history", token)
                let people = try #require(try await first.api.json("people", token)["people"] as? [[String: Any]])
                #expect(await first.terminate() == 0)

                let second = try await start(in: folder)
                let before = try await counts(second.api, token)["delivered"] ?? 0
                try await wait(second.api, token) { $0["delivered"] ?? 0 >= before + 3 }
                let later = try #require(try await second.api.json("people", token)["people"] as? [[String: Any]])
                #expect(await second.terminate() == 0)

                let proofs = try #require(history["proofs"] as? [[String: Any]])
                #expect(proofs.contains { $0["mediaType"] as? String == "image/png" && $0["length"] as? Int ?? 0 > 300 })
                #expect(people.contains { ($0["name"] as? String)?.hasSuffix("(simulated)") == true && $0["position"] != nil })
                #expect(people.count == later.count)
            }
        }

        @Test func `No person is simulated at another server`() async throws {
            let run = try await Program.run("run", "--simulate", "--origin", "http://127.0.0.1:1")

            #expect(run.code == 64 && run.error.contains("--simulate applies to the demo server"))
        }

        private struct Running {
            let api: OrderAPIServer
            let program: ChildProcess

            func terminate() async -> Int32 { await program.terminate() }
        }

        private func start(in folder: URL) async throws -> Running {
            let (program, address) = try await Program.start(
                "run", "--port", "0", "--orders", "60", "--deliveries", "5", "--data", folder.path, "--simulate", "--simulate-speed", "300",
                announcing: "The orders are served at ")
            return Running(
                api: OrderAPIServer(address: String(address.dropLast("/swift-concurrency/orders.plist".count)), folder: folder),
                program: program)
        }

        /// Waits until the counts of orders by state satisfy a condition.
        private func wait(_ api: OrderAPIServer, _ token: String, until isSatisfied: ([String: Int]) -> Bool) async throws {
            try await api.followChanges(token) { isSatisfied(try await counts(api, token)) }
        }

        private func counts(_ api: OrderAPIServer, _ token: String) async throws -> [String: Int] {
            let states = try #require(try await api.json("counts", token)["states"] as? [[String: Any]])
            return Dictionary(uniqueKeysWithValues: states.map { ($0["state"] as? String ?? "", $0["count"] as? Int ?? 0) })
        }

        private func delivered(_ api: OrderAPIServer, _ token: String) async throws -> Int? {
            let page = try await api.json("orders?state=delivered", token)
            return (page["orders"] as? [[String: Any]])?.first?["id"] as? Int
        }
    }
}
