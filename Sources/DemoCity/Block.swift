/// A block of houses between two streets and two avenues.
package struct Block: Hashable, Sendable {
    package enum Use: Hashable, Sendable {
        case houses
        /// Too near to the water for houses.
        case promenade
    }

    /// The number of the avenue at its western edge, the first part of its addresses.
    package var avenue: Int
    /// The place of the street at its northern edge, counted from the north.
    package var street: Int
    package var use: Use
    /// From the middle of the bounding roads to the middle of the bounding roads.
    package var bounds: BoundingBox
}
