package import OrderStorage

/// A geocoder: a service that finds the places of addresses.
package protocol AddressGeocoder: Sendable {
    /// Returns the place of an address; nil if it is not found, or if the service does not answer.
    ///
    /// - Throws: `CancellationError`.
    func coordinate(of address: String) async throws -> Coordinate?
}
