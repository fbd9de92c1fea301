package import Foundation
package import LadingHTTP
package import OrderLifecycle
package import OrderStorage
import SeededNumbers

/// A city at work: simulated people, who use the API of a server as programs of real people would, so that its pages show orders that come, are
/// taken, carried and delivered.
package struct CitySimulation: Sendable {
    /// The names of the couriers and of the dispatcher.
    package static let couriers = ["Nora", "Emil", "Lucía", "Omar", "Freya", "Kenji", "Amara", "Pavel", "Inés", "Theo"].map {
        "\($0) (simulated)"
    }
    package static let dispatcher = "Robin (simulated)"
    /// The standard number of simulated seconds in a second.
    package static let standardSpeed = 10.0
    private static let shopCount = 5

    /// The source of contents, photos and places.
    package struct DataSource: Sendable {
        package let content: @Sendable (Int, Timestamp) -> OrderContent
        package let photo: @Sendable (Int) -> [UInt8]
        package let shops: @Sendable (Int) -> [Coordinate]

        package init(
            content: @escaping @Sendable (Int, Timestamp) -> OrderContent, photo: @escaping @Sendable (Int) -> [UInt8],
            shops: @escaping @Sendable (Int) -> [Coordinate]
        ) {
            (self.content, self.photo, self.shops) = (content, photo, shops)
        }
    }

    private let client: BackendClient
    private let dataSource: DataSource
    private let tokens: [String: String]
    private let time: SimulatedTime
    private let seed: UInt64

    /// - Parameters:
    ///   - tokens: The tokens of the couriers and of the dispatcher by their names.
    ///   - seed: The seed of the decisions of the people.
    package init(client: BackendClient, dataSource: DataSource, tokens: [String: String], time: SimulatedTime, seed: UInt64) {
        (self.client, self.dataSource, self.tokens, self.time, self.seed) = (client, dataSource, tokens, time, seed)
    }

    /// Simulates people at a server until the task is cancelled, or until one of them must sign in again.
    package func run(at url: URL) async {
        let shops = dataSource.shops(Self.shopCount)
        guard !shops.isEmpty else { return }
        await withTaskGroup { tasks in
            for (number, name) in Self.couriers.enumerated() {
                guard let token = tokens[name] else { continue }
                tasks.addTask {
                    var courier = CityCourier(
                        service: CityService(client: client, url: url, token: token), time: time, shops: shops, photo: dataSource.photo,
                        place: shops[number % shops.count], random: SplitMix64(seed: seed, stream: number + 1))
                    await courier.run()
                }
            }
            if let token = tokens[Self.dispatcher] {
                tasks.addTask {
                    var dispatcher = CityDispatcher(
                        service: CityService(client: client, url: url, token: token), time: time, content: dataSource.content,
                        random: SplitMix64(seed: seed, stream: 0), number: Self.firstNumber)
                    await dispatcher.run()
                }
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// The number of the first order. It depends on the time, so that the orders of two runs differ.
    private static var firstNumber: Int { Int(Date().timeIntervalSince1970) % 100_000_000 }
}
