import DemoCity
import struct Foundation.Date
import SeededNumbers

/// The orders of the demo city. Each depends only on the seed and its own id, so another count changes none of them.
struct DemoOrders: Sendable {
    /// Increment when the same seed produces other orders, or when the catalog changes.
    static let version = 1
    /// The allowed number of orders; the largest list has about 22 MB.
    static let allowedCounts = 0...250_000

    /// The numbers of items that an order may have.
    private static let itemCounts = 1...12
    private static let ordersPerForeignCurrency = 12
    private static let ordersPerOtherRadius = 8

    let count: Int
    let seed: UInt64
    private let city: City

    init(count: Int, seed: UInt64, city: City = .shared) {
        self.count = count
        self.seed = seed
        self.city = city
    }

    var ids: Range<Int> { 1..<count + 1 }

    func withCount(_ count: Int) -> DemoOrders { DemoOrders(count: count, seed: seed, city: city) }

    func metadata(now: Date) -> DemoMetadata {
        DemoMetadata(count: count, seed: seed, version: Self.version, now: now)
    }

    /// Returns an order.
    ///
    /// - Parameter id: One of `ids`.
    func order(_ id: Int) -> Order {
        var generator = SplitMix64(seed: seed, stream: id)
        let basket = orderItems(using: &generator)
        return Order(
            id: id,
            title: generator.element(of: DemoWords.titles),
            info: generator.element(of: DemoWords.notes),
            price: price(ofCents: basket.cents),
            currency: currency(using: &generator),
            itemCount: basket.items.count,
            deliveryDate: deliveryDate(using: &generator),
            location: location(using: &generator),
            items: basket.items
        )
    }

    private func orderItems(using generator: inout SplitMix64) -> (items: [Order.Item], cents: Int) {
        var available = Grocery.catalog
        var items: [Order.Item] = []
        var cents = 0
        for _ in 0..<generator.integer(in: Self.itemCounts) {
            let last = available.count - 1
            available.swapAt(generator.integer(in: 0...last), last)
            let grocery = available.removeLast()
            let unit = generator.element(of: grocery.units)
            let steps = generator.integer(in: unit.steps)
            items.append(Order.Item(id: grocery.id, quantity: unit.quantity(ofSteps: steps), unit: unit.name))
            cents += steps * unit.cents
        }
        return (items, cents)
    }

    private func price(ofCents cents: Int) -> String {
        let (whole, rest) = cents.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private func currency(using generator: inout SplitMix64) -> String {
        guard generator.isTrue(onceIn: Self.ordersPerForeignCurrency) else { return city.currency }
        return generator.element(of: DemoWords.foreignCurrencies)
    }

    private func deliveryDate(using generator: inout SplitMix64) -> String {
        let day = generator.integer(in: 0...DemoTimeSlot.dayCount - 1)
        let slot = generator.integer(in: 0...DemoTimeSlot.slotsPerDay - 1)
        return DemoTimeSlot(day: day, slot: slot).text
    }

    private func location(using generator: inout SplitMix64) -> Order.Location {
        let radius = radius(using: &generator)
        let place = city.randomPlace(using: &generator)
        return Order.Location(
            address: place.address,
            radius: radius.value,
            radiusUnit: radius.unit,
            latitude: place.coordinate.latitude,
            longitude: place.coordinate.longitude
        )
    }

    private func radius(using generator: inout SplitMix64) -> (value: Double, unit: String) {
        guard generator.isTrue(onceIn: Self.ordersPerOtherRadius) else {
            return (generator.element(of: DemoWords.radiusValues), "km")
        }
        return generator.element(of: DemoWords.otherRadiusValues)
    }
}
