/// A block between two streets and two avenues.
package struct Block: Hashable, Sendable {
    package enum Use: Hashable, Sendable {
        /// Land with houses.
        case built
        /// Land too close to the water for houses.
        case shore
    }

    /// The number of the avenue at its western edge, the first part of its addresses.
    package var avenue: Int
    /// The index of the street at its northern edge, counted from the north.
    package var street: Int
    package var use: Use
    /// The area between the center lines of the bounding roads.
    package var bounds: BoundingBox
}
