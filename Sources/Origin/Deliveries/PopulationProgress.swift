/// How far an origin is with making up its deliveries, which takes a while when they are many.
package struct PopulationProgress: Hashable, Sendable {
    package let stored: Int
    package let total: Int
}
