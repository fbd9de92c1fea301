import DemoCity
import Testing

@Suite("The demo city")
struct CityTests {
    var city: City { Self.city }
    private static let city = City()

    @Test("gives the same places for the same seed, on every platform")
    func sameSeedSamePlaces() {
        var one = Dice(seed: 7)
        var other = Dice(seed: 7)
        let rebuilt = City()

        let places = (0..<50).map { _ in city.place(using: &one) }
        let again = (0..<50).map { _ in rebuilt.place(using: &other) }

        #expect(places == again)
        #expect(places[0].address == "43-26 Oar Street, Lading Harbor, NY 11109, United States")
    }

    @Test("draws twice for a place, and nothing but next()")
    func drawsTwice() {
        var dice = Dice(seed: 1)

        _ = city.place(using: &dice)

        #expect(dice.draws == 2)
    }

    @Test("writes addresses as in Queens", arguments: [1, 2, 3] as [UInt64])
    func wellFormed(seed: UInt64) throws {
        var dice = Dice(seed: seed)

        for place in (0..<500).map({ _ in city.place(using: &dice) }) {
            let address = try #require(Address(place.address), "\(place.address)")
            #expect((1...44).contains(address.avenue))
            #expect((1...48).contains(address.number))
            #expect((11_101...11_109).contains(address.postcode))
        }
    }

    @Test(
        "puts an address beside its street, after its avenue, on the side of its number", arguments: [4, 5] as [UInt64])
    func onItsStreet(seed: UInt64) throws {
        let streets = Dictionary(uniqueKeysWithValues: city.streets(in: city.bounds).map { ($0.name, $0) })
        let avenues = Dictionary(uniqueKeysWithValues: city.avenues(in: city.bounds).map { ($0.number, $0) })
        var dice = Dice(seed: seed)

        for place in (0..<500).map({ _ in city.place(using: &dice) }) {
            let address = try #require(Address(place.address))
            let street = try #require(streets[address.street])
            let stretch = try #require(street.stretches.first { $0.blocks.contains(address.avenue) })
            let metresNorth = (place.coordinate.latitude - stretch.start.latitude) / 0.000009
            #expect(abs(abs(metresNorth) - 14) < 0.2, "\(place)")
            #expect((metresNorth > 0) == address.number.isMultiple(of: 2), "\(place)")
            let west = try #require(avenues[address.avenue]).stretches[0].start.longitude
            let share = (place.coordinate.longitude - west) / 0.00237
            #expect(abs(share - Double(address.number) / 49) < 0.09, "\(place)")
        }
    }

    @Test("has no address in water, in a park or beyond its limits", arguments: [6, 7] as [UInt64])
    func onDryLand(seed: UInt64) {
        var dice = Dice(seed: seed)

        for place in (0..<500).map({ _ in city.place(using: &dice) }) {
            #expect(!city.water.contains { $0.contains(place.coordinate) }, "\(place)")
            #expect(!city.parks.contains { $0.area.contains(place.coordinate) }, "\(place)")
            #expect(city.limits.contains(place.coordinate) && city.bounds.contains(place.coordinate), "\(place)")
        }
    }

    @Test("has room for at least 5,000 different addresses in 10,000")
    func distinct() {
        var dice = Dice(seed: 8)

        let places = (0..<10_000).map { _ in city.place(using: &dice) }

        #expect(Set(places.map(\.address)).count >= 5_000)
        #expect(Set(places.map(\.address)).count == Set(places.map(\.coordinate)).count)
    }

    @Test("names its streets once each, in the order of the alphabet, and counts its avenues")
    func names() {
        let streets = city.streets(in: city.bounds).map(\.name)
        let avenues = city.avenues(in: city.bounds).map(\.name)

        #expect(streets == streets.sorted())
        #expect(Set(streets).count == streets.count)
        #expect(avenues.contains("11th Avenue") && avenues.contains("22nd Avenue") && avenues.contains("43rd Avenue"))
        #expect(city.avenues(in: city.bounds).first { $0.number == 31 }?.name == "31st Avenue")
    }

    @Test("crosses water by the bridges of main roads alone")
    func bridges() {
        let roads = city.streets(in: city.bounds) + city.avenues(in: city.bounds)
        let river = city.water[1]

        let crossings = roads.flatMap { road in road.stretches.filter(\.isBridge).map { (road, $0) } }

        #expect(crossings.count >= 3)
        for (road, bridge) in crossings {
            #expect(road.isMain)
            #expect(bridge.blocks.contains { river.contains(bridge.middle(ofBlock: $0)) } || bridge.blocks.count == 1)
        }
        for road in roads {
            for stretch in road.stretches where !stretch.isBridge {
                let isWet = stretch.blocks.contains { block in
                    city.water.contains { $0.contains(stretch.middle(ofBlock: block)) }
                }
                #expect(!isWet, "\(road.name)")
            }
        }
    }
}

/// A generator that counts its draws (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64
    private(set) var draws = 0

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        draws += 1
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The parts of an address; nil when it is not written as the city writes them.
private struct Address {
    var avenue: Int
    var number: Int
    var street: String
    var postcode: Int

    init?(_ text: String) {
        let form = /([1-9]\d?)-(\d\d) ([A-Z][a-z]+ Street), Lading Harbor, NY (\d{5}), United States/
        guard let match = text.wholeMatch(of: form), let avenue = Int(match.1), let number = Int(match.2),
            let postcode = Int(match.4)
        else { return nil }
        self.avenue = avenue
        self.number = number
        self.street = String(match.3)
        self.postcode = postcode
    }
}
