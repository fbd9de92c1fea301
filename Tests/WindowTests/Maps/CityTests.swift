import DemoCity
import Testing

@Suite("The demo city")
struct CityTests {
    var city: City { Self.city }
    private static let city = City()

    @Test("The same seed gives the same places on every platform")
    func sameSeedSamePlaces() {
        var one = CountingGenerator(seed: 7)
        var other = CountingGenerator(seed: 7)
        let rebuilt = City()

        let places = (0..<50).map { _ in city.randomPlace(using: &one) }
        let again = (0..<50).map { _ in rebuilt.randomPlace(using: &other) }

        #expect(places == again)
        #expect(places[0].address == "43-26 Oar Street, Lading Harbor, NY 11109, United States")
    }

    @Test("A place takes two calls of next()")
    func placeTakesTwoCalls() {
        var dice = CountingGenerator(seed: 1)

        _ = city.randomPlace(using: &dice)

        #expect(dice.callCount == 2)
    }

    @Test("Addresses have the form of those in Queens", arguments: [1, 2, 3] as [UInt64])
    func wellFormed(seed: UInt64) throws {
        var dice = CountingGenerator(seed: seed)

        for place in (0..<500).map({ _ in city.randomPlace(using: &dice) }) {
            let address = try #require(Address(place.address), "\(place.address)")
            #expect((1...44).contains(address.avenue))
            #expect((1...48).contains(address.number))
            #expect((11_101...11_109).contains(address.postalCode))
        }
    }

    @Test(
        "An address lies on its street, past its avenue, on the side of its number", arguments: [4, 5] as [UInt64])
    func onItsStreet(seed: UInt64) throws {
        let streets = Dictionary(uniqueKeysWithValues: city.streets(in: city.bounds).map { ($0.name, $0) })
        let avenues = Dictionary(uniqueKeysWithValues: city.avenues(in: city.bounds).map { ($0.number, $0) })
        var dice = CountingGenerator(seed: seed)

        for place in (0..<500).map({ _ in city.randomPlace(using: &dice) }) {
            let address = try #require(Address(place.address))
            let street = try #require(streets[address.street])
            let stretch = try #require(street.segments.first { $0.blocks.contains(address.avenue) })
            let metresNorth = (place.coordinate.latitude - stretch.start.latitude) / 0.000009
            #expect(abs(abs(metresNorth) - 14) < 0.2, "\(place)")
            #expect((metresNorth > 0) == address.number.isMultiple(of: 2), "\(place)")
            let west = try #require(avenues[address.avenue]).segments[0].start.longitude
            let share = (place.coordinate.longitude - west) / 0.00237
            #expect(abs(share - Double(address.number) / 49) < 0.09, "\(place)")
        }
    }

    @Test("No address lies in water, in a park or outside the city", arguments: [6, 7] as [UInt64])
    func addressesAvoidWaterAndParks(seed: UInt64) {
        var dice = CountingGenerator(seed: seed)

        for place in (0..<500).map({ _ in city.randomPlace(using: &dice) }) {
            #expect(!city.water.contains { $0.contains(place.coordinate) }, "\(place)")
            #expect(!city.parks(in: city.bounds).contains { $0.bounds.contains(place.coordinate) }, "\(place)")
            #expect(city.boundary.contains(place.coordinate) && city.bounds.contains(place.coordinate), "\(place)")
        }
    }

    @Test("10,000 draws give at least 5,000 different addresses")
    func distinct() {
        var dice = CountingGenerator(seed: 8)

        let places = (0..<10_000).map { _ in city.randomPlace(using: &dice) }

        #expect(Set(places.map(\.address)).count >= 5_000)
        #expect(Set(places.map(\.address)).count == Set(places.map(\.coordinate)).count)
    }

    @Test("Street names are unique and alphabetical, and avenues are numbered")
    func names() {
        let streets = city.streets(in: city.bounds).map(\.name)
        let avenues = city.avenues(in: city.bounds).map(\.name)

        #expect(streets == streets.sorted())
        #expect(Set(streets).count == streets.count)
        #expect(avenues.contains("11th Avenue") && avenues.contains("22nd Avenue") && avenues.contains("43rd Avenue"))
        #expect(city.avenues(in: city.bounds).first { $0.number == 31 }?.name == "31st Avenue")
    }

    @Test("Only bridges of main roads cross water")
    func bridges() {
        let roads = city.streets(in: city.bounds) + city.avenues(in: city.bounds)
        let river = city.water[1]

        let crossings = roads.flatMap { road in road.segments.filter(\.isBridge).map { (road, $0) } }

        #expect(crossings.count >= 3)
        for (road, bridge) in crossings {
            #expect(road.isMain)
            #expect(bridge.blocks.contains { river.contains(bridge.middle(ofBlock: $0)) } || bridge.blocks.count == 1)
        }
        for road in roads {
            for stretch in road.segments where !stretch.isBridge {
                let isWet = stretch.blocks.contains { block in
                    city.water.contains { $0.contains(stretch.middle(ofBlock: block)) }
                }
                #expect(!isWet, "\(road.name)")
            }
        }
    }
}

/// A random number generator that counts its calls (SplitMix64).
struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64
    private(set) var callCount = 0

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        callCount += 1
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The parts of an address; nil when it is not in the format of the city.
private struct Address {
    var avenue: Int
    var number: Int
    var street: String
    var postalCode: Int

    init?(_ text: String) {
        let form = /([1-9]\d?)-(\d\d) ([A-Z][a-z]+ Street), Lading Harbor, NY (\d{5}), United States/
        guard let match = text.wholeMatch(of: form), let avenue = Int(match.1), let number = Int(match.2),
            let postalCode = Int(match.4)
        else { return nil }
        self.avenue = avenue
        self.number = number
        self.street = String(match.3)
        self.postalCode = postalCode
    }
}
