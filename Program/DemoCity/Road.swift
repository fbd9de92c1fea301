/// A street or an avenue with its segments.
package struct Road: Hashable, Sendable {
    package enum Direction: Hashable, Sendable {
        /// The direction of a named street, along a parallel.
        case eastWest
        /// The direction of a numbered avenue, along a meridian.
        case northSouth
    }

    /// An uninterrupted part of a road, from west to east or from north to south.
    package struct Segment: Hashable, Sendable {
        package var start: Coordinate
        package var end: Coordinate
        package var isBridge: Bool
        /// The blocks along the segment: a street's by the avenue west of each, an avenue's by the street north of each.
        package var blocks: Range<Int>

        /// Returns the point on the center line beside the middle of a block.
        package func middle(ofBlock block: Int) -> Coordinate {
            let share = (Double(block - blocks.lowerBound) + 0.5) / Double(blocks.count)
            return Coordinate(
                latitude: start.latitude + share * (end.latitude - start.latitude),
                longitude: start.longitude + share * (end.longitude - start.longitude)
            )
        }
    }

    /// "Alder Street" or "31st Avenue".
    package var name: String
    /// The number of an avenue; the index of a street, counted from the north.
    package var number: Int
    package var direction: Direction
    /// Whether it is a main road, which is wider and crosses the river.
    package var isMain: Bool
    package var segments: [Segment]
}
