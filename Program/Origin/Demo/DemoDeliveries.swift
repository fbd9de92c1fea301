import DemoCity
import struct Foundation.Date
import SeededNumbers

/// The deliveries of the demo city. Each depends only on the seed and its own id, so another count changes none of them.
///
/// No two rows share an id or a key. One in forty has no location, as in the original service.
struct DemoDeliveries: Sendable {
    /// Increment when the same seed produces other deliveries.
    static let version = 1
    static let allowedCounts = 0...1_000_000
    /// One delivery in this many has no location.
    static let deliveriesPerMissingLocation = 40

    private static let deliveriesPerMissingRemarks = 6
    private static let deliveriesPerSurcharge = 3
    private static let feeCents = 480...24_900
    private static let surchargeCents = 150...9_900
    /// Phone numbers reserved for fiction (North American Numbering Plan).
    private static let fakePhoneNumbers = 100...199

    let count: Int
    let seed: UInt64
    let city: City

    init(count: Int, seed: UInt64, city: City = .shared) {
        self.count = count
        self.seed = seed
        self.city = city
    }

    var ids: Range<Int> { 0..<count }

    func metadata(now: Date) -> DemoMetadata {
        DemoMetadata(count: count, seed: seed, version: Self.version, now: now)
    }

    /// Returns a delivery.
    ///
    /// - Parameter id: One of `ids`.
    func delivery(_ id: Int) -> Delivery {
        regenerated(seed: seed, id: id)
    }

    /// Returns a delivery drawn from another seed: other content for the same id, under the same key.
    func regenerated(seed: UInt64, id: Int) -> Delivery {
        var generator = SplitMix64(seed: seed, stream: Self.stream(of: id))
        return delivery(id, key: key(id), using: &generator)
    }

    /// Returns a negative stream number; orders use the streams from 1 upwards.
    private static func stream(of id: Int) -> Int { -1 - id }

    private func key(_ id: Int) -> DeliveryKey {
        var generator = SplitMix64(seed: ~seed, stream: Self.stream(of: id))
        return DeliveryKey(index: id, random: (generator.next(), generator.next()))
    }

    private func delivery(_ id: Int, key: DeliveryKey, using generator: inout SplitMix64) -> Delivery {
        let cargo = generator.element(of: Cargo.all)
        let variant = generator.integer(in: 0...DeliveryImage.variants.count - 1)
        let destination = location(using: &generator)
        return Delivery(
            id: id,
            key: key,
            recipient: recipient(using: &generator),
            image: DeliveryImage(cargo: cargo, variant: variant),
            location: generator.isTrue(onceIn: Self.deliveriesPerMissingLocation) ? nil : destination,
            route: Delivery.Route(start: location(using: &generator).address, end: destination.address),
            sender: sender(using: &generator),
            remarks: generator.isTrue(onceIn: Self.deliveriesPerMissingRemarks) ? "" : generator.element(of: DemoWords.notes),
            pickupTime: timeSlot(using: &generator).isoText,
            feeCents: generator.integer(in: Self.feeCents),
            surchargeCents: generator.isTrue(onceIn: Self.deliveriesPerSurcharge) ? generator.integer(in: Self.surchargeCents) : 0
        )
    }

    /// Draws a location with house and street only: a row has no space for the rest of an address.
    private func location(using generator: inout SplitMix64) -> Delivery.Location {
        let place = city.randomPlace(using: &generator)
        let house = place.address.prefix { $0 != "," }
        return Delivery.Location(address: String(house), latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
    }

    private func recipient(using generator: inout SplitMix64) -> String {
        guard !generator.isTrue(onceIn: DemoNames.namesPerFullName) else { return generator.element(of: DemoNames.fullNames) }
        return "\(generator.element(of: DemoNames.given)) \(generator.element(of: DemoNames.family))"
    }

    private func sender(using generator: inout SplitMix64) -> Delivery.Sender {
        let sender = generator.element(of: DemoNames.senders)
        let phoneNumber = generator.integer(in: Self.fakePhoneNumbers)
        return Delivery.Sender(name: sender.name, phone: "+1 (718) 555-0\(phoneNumber)", email: "\(sender.mailbox)@example.com")
    }

    private func timeSlot(using generator: inout SplitMix64) -> DemoTimeSlot {
        DemoTimeSlot(
            day: generator.integer(in: 0...DemoTimeSlot.dayCount - 1),
            slot: generator.integer(in: 0...DemoTimeSlot.slotsPerDay - 1))
    }
}
