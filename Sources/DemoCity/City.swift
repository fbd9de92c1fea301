/// Lading Harbor, an invented port with real coordinates: what the demonstrations deliver to and the map draws.
///
/// Named streets run east and west, numbered avenues north and south. An address reads as in Queens: "31-07 Alder
/// Street" is the seventh number after 31st Avenue, odd numbers on the south side. The same on every platform.
package struct City: Sendable {
    package var name = "Lading Harbor"
    package var currency = "USD"
    package var center = Grid.center

    let landscape = Landscape()
    let ground: Ground
    let streets: [Road]
    let avenues: [Road]
    private let fronts: [Front]

    package init() {
        let ground = Ground(landscape: landscape, parks: Park.all)
        let roads = RoadBuilder(ground: ground, landscape: landscape)
        self.ground = ground
        streets = roads.streets()
        avenues = roads.avenues()
        fronts = Front.all(on: ground)
    }

    /// A place where somebody lives: in no park, on no water; two draws of the generator, `next()` and nothing else.
    package func place(using generator: inout some RandomNumberGenerator) -> Place {
        let front = fronts[Int(generator.next() % UInt64(fronts.count))]
        let house = Int(generator.next() % UInt64(Front.houses))
        let number = front.number(ofHouse: house)
        let block = number < 10 ? "\(front.column)-0\(number)" : "\(front.column)-\(number)"
        return Place(
            address: "\(block) \(StreetNames.all[front.street]), \(name), NY \(front.postcode), United States",
            coordinate: front.coordinate(ofHouse: house)
        )
    }
}
