/// The list of deliveries of an origin. The id of a delivery is its position in the list.
protocol DeliveryStore: Sendable {
    /// Returns the deliveries of a page with their favourite flags; fewer at the end of the list.
    func deliveries(_ page: DeliveryPage) async throws -> [DeliveryDocuments.Entry]

    /// Returns the index of the delivery with a key; nil when there is none.
    func index(of key: DeliveryKey) async throws -> Int?

    /// Returns the key of the delivery at an index; nil when there is none.
    func deliveryKey(at index: Int) async throws -> DeliveryKey?

    /// Returns the ids in a range that are favourites.
    func favourites(in ids: ClosedRange<Int>) async throws -> Set<Int>
}
