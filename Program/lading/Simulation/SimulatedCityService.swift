import CitySimulation
import Foundation
import LadingHTTP
import LadingNIO
import Origin
import ServiceLifecycle

/// The simulated people of the demo, who work as soon as the origin can be reached, until the program ends.
struct SimulatedCityService: Service {
    private static let connections = 4
    private static let signInDelay = Duration.seconds(3)

    let origin: OriginServer
    let addresses: AsyncStream<OriginServices.Endpoint>
    let speed: Double
    let seed: UInt64

    func run() async throws {
        guard let address = await addresses.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        let executor = AsyncHTTPClientExecutor(connectionsPerHost: Self.connections)
        let client = BackendClient(executor: executor)
        Terminal.output.announce("\(CitySimulation.couriers.count) simulated couriers deliver orders; sign in to join them\n")
        await cancelWhenGracefulShutdown {
            // The people sign in again after they were revoked, or the database was replaced.
            while !Task.isCancelled {
                do {
                    try await simulate(at: address.directURL ?? address.url, client)
                } catch {
                    // A failure does not affect the other services.
                    Terminal.error.write("lading: cannot simulate people yet: \(error)\n")
                }
                try? await Task.sleep(for: Self.signInDelay)
            }
        }
        try? await executor.shutdown()
    }

    /// Simulates people until the task is cancelled, or one of them must sign in again.
    private func simulate(at url: URL, _ client: BackendClient) async throws {
        let people = origin.simulatedPeople
        let tokens = try await people.signIn(couriers: CitySimulation.couriers, dispatcher: CitySimulation.dispatcher)
        let goods = DemoGoods(seed: seed)
        let city = CitySimulation(
            client: client, dataSource: .init(content: goods.content, photo: goods.photo, shops: goods.shops), tokens: tokens,
            time: SimulatedTime(speed: speed), seed: seed)
        await city.run(at: url)
        // Another task, because this one is cancelled at the end, and a cancelled task cannot write to the database.
        await Task { try? await people.signOut(tokens.values) }.value
    }
}
