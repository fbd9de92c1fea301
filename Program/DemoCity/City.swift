/// Lading Harbor, a fictional port city with real coordinates: the destination of all demo deliveries.
///
/// Named streets run east and west, numbered avenues north and south. An address reads as in Queens: "31-07 Alder
/// Street" is the seventh number after 31st Avenue, with odd numbers on the south side. The city is the same on every platform.
package struct City: Sendable {
    /// The city, generated once for all users.
    package static let shared = City()

    package var name = "Lading Harbor"
    package var currency = "USD"
    package var center = Grid.center

    let landscape = Landscape()
    let landUse: LandUseMap
    let streets: [Road]
    let avenues: [Road]
    private let blockSides: [BlockSide]

    package init() {
        let landUse = LandUseMap(landscape: landscape, parks: Park.all)
        let roads = RoadBuilder(landUse: landUse, landscape: landscape)
        self.landUse = landUse
        streets = roads.streets()
        avenues = roads.avenues()
        blockSides = BlockSide.all(on: landUse)
    }

    /// Returns a random house, consuming exactly two results of the generator's `next()`.
    package func randomPlace(using generator: inout some RandomNumberGenerator) -> Place {
        let side = blockSides[Int(generator.next() % UInt64(blockSides.count))]
        let house = Int(generator.next() % UInt64(BlockSide.houseCount))
        let number = side.number(ofHouse: house)
        let block = number < 10 ? "\(side.column)-0\(number)" : "\(side.column)-\(number)"
        return Place(
            address: "\(block) \(StreetNames.all[side.street]), \(name), NY \(side.postalCode), United States",
            coordinate: side.coordinate(ofHouse: house)
        )
    }
}
