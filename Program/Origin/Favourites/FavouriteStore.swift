import struct Foundation.Date

/// The favourites of an origin, and the results of recent requests by their idempotency keys.
protocol FavouriteStore: Sendable {
    /// Returns the state of a delivery; `unset` when it was never set.
    func favourite(ofDelivery id: Int) async throws -> Favourite

    /// Performs a request, or returns the stored result when it was performed before.
    ///
    /// The action and its result are stored in one transaction. An action older than the stored state changes nothing; its result is that state.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stored keys; the oldest are evicted first.
    ///   - permission: Called before a request is performed, not for a repeated one; its error is thrown and not stored.
    /// - Returns: The state of the delivery after the request.
    /// - Throws: `IdempotencyProblem.reused` when the key was used for another request.
    func perform(
        _ request: FavouriteRequest, at now: Date, keyLimit: Int, permission: @Sendable () throws -> Void
    ) async throws -> Favourite
}

/// A request to change the favourite state of a delivery.
struct FavouriteRequest: Sendable {
    /// The default maximum number of stored keys.
    static let keyLimit = 100_000
    /// The lifetime of a key in seconds: the time that a client may queue an action while offline.
    static let keyLifetime = 14 * 86_400

    let action: FavouriteAction
    let delivery: Int
    let key: IdempotencyKey
    /// The text by which two requests are considered equal.
    let fingerprint: String
}

extension FavouriteStore {
    func perform(_ request: FavouriteRequest, at now: Date, permission: @Sendable () throws -> Void = {}) async throws -> Favourite {
        try await perform(request, at: now, keyLimit: FavouriteRequest.keyLimit, permission: permission)
    }
}
