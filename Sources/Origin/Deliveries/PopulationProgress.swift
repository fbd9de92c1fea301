/// The progress of creating the demo deliveries, which is slow for large counts.
package struct PopulationProgress: Hashable, Sendable {
    package let stored: Int
    package let total: Int
}
