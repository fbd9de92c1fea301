import DemoCity
package import OrderLifecycle
package import OrderStorage
import SeededNumbers

/// The orders, pictures and places of the demo city, for its simulated people.
package struct DemoGoods: Sendable {
    /// Further orders have other ids than those with which the demo begins, so that they are not repeated.
    private static let firstNumber = 10_000_000
    private static let shopStream = 20_000_000

    private let orders: DemoOrders
    private let proofs: DemoProofs
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        orders = DemoOrders(count: 0, seed: seed)
        proofs = DemoProofs(seed: seed)
    }

    /// Returns the content of a new order.
    package func content(_ number: Int, due: Timestamp) -> OrderContent {
        var content = OrderContent(orders.order(Self.firstNumber + number))
        (content.due, content.deliveryTime) = (due, "")
        return content
    }

    /// Returns the photo of a delivered order, as a PNG file.
    package func photo(ofOrder order: Int) -> [UInt8] { proofs.photo(ofOrder: order) }

    /// Returns the places of shops, from which goods are fetched.
    package func shops(count: Int) -> [OrderStorage.Coordinate] {
        let city = City.shared
        return (0..<count).compactMap { index in
            var generator = SplitMix64(seed: seed, stream: Self.shopStream + index)
            let coordinate = city.randomPlace(using: &generator).coordinate
            return OrderStorage.Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }
    }
}
