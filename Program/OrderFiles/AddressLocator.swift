package import OrderStorage

/// A service that finds the places of addresses.
package protocol AddressLocator: Sendable {
    /// Returns the place of an address; nil if it is not found, or if the service does not answer.
    ///
    /// - Throws: `CancellationError`.
    func coordinate(of address: String) async throws -> Coordinate?
}
