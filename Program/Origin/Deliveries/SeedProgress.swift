/// The progress of creating the demo deliveries, which is slow for large counts.
package struct SeedProgress: Hashable, Sendable {
    package let stored: Int
    package let total: Int
}
