import CitySimulation
import Foundation
import LadingHTTP
import LadingNIO
import Origin
import ServiceLifecycle

/// The simulated people of the demo, who work as soon as the origin can be reached, until the program ends.
struct SimulatedCityService: Service {
    private static let connections = 4

    let origin: OriginServer
    let addresses: AsyncStream<OriginServices.Endpoint>
    let speed: Double
    let seed: UInt64

    func run() async throws {
        guard let address = await addresses.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        let executor = AsyncHTTPClientExecutor(connectionsPerHost: Self.connections)
        do {
            let tokens = try await origin.simulatedPeople.signIn(couriers: CitySimulation.couriers, dispatcher: CitySimulation.dispatcher)
            let supply = DemoSupply(seed: seed)
            let city = CitySimulation(
                client: BackendClient(executor: executor),
                supply: .init(content: supply.content, picture: supply.picture, shops: supply.shops), tokens: tokens,
                time: SimulatedTime(speed: speed), seed: seed)
            Terminal.output.announce("\(CitySimulation.couriers.count) simulated couriers deliver orders; sign in to join them\n")
            await cancelWhenGracefulShutdown { await city.run(at: address.directURL ?? address.url) }
            try await origin.simulatedPeople.signOut(tokens.values)
        } catch {
            // A failure does not affect the other services.
            Terminal.error.write("lading: cannot simulate people: \(error)\n")
            try? await gracefulShutdown()
        }
        try? await executor.shutdown()
    }
}
