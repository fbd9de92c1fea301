/// A street or an avenue with the stretches of it that exist.
package struct Road: Hashable, Sendable {
    package enum Direction: Hashable, Sendable {
        /// A named street, along a parallel.
        case eastWest
        /// A numbered avenue, along a meridian.
        case northSouth
    }

    /// An unbroken stretch, from west to east or from north to south.
    package struct Segment: Hashable, Sendable {
        package var start: Coordinate
        package var end: Coordinate
        package var isBridge: Bool
        /// The blocks it passes: a street's by the avenue west of each, an avenue's by the street north of each.
        package var blocks: Range<Int>

        /// The middle of the road beside one of its blocks.
        package func midpoint(ofBlock block: Int) -> Coordinate {
            let share = (Double(block - blocks.lowerBound) + 0.5) / Double(blocks.count)
            return Coordinate(
                latitude: start.latitude + share * (end.latitude - start.latitude),
                longitude: start.longitude + share * (end.longitude - start.longitude)
            )
        }
    }

    /// "Alder Street" or "31st Avenue".
    package var name: String
    /// The number of an avenue; the place of a street, counted from the north.
    package var number: Int
    package var direction: Direction
    /// Main roads are wider and cross the river.
    package var isMain: Bool
    package var segments: [Segment]
}
