/// An interceptor of the exchanges of a `BackendClient`: it may change a message, handle the response or the error, and repeat the request.
///
/// ```swift
/// struct Timestamps: RequestInterceptor {
///     func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
///         var message = message
///         message.headers[.date] = now()
///         return try await next(message)
///     }
/// }
/// ```
///
/// The first interceptor is the outermost: it sees the message first and the response last. Redirects are followed within the innermost one, so that
/// the response may be that of another host (`BackendResponse.url`). The time limit of a request includes its interceptors, but does not interrupt
/// them (`ResponseLimits.time`). Of the body of an error they receive at most `ErrorResponse.bodyLimit` bytes, except in
/// `BackendClient.response(to:)`.
///
/// An operation of a client with a cache first looks up the cache, through the interceptors and without a request. When no stored response can be
/// served, `next` throws `HTTPCache.CacheMiss`: rethrow it at once. A response or another error in its place is ignored, and the interceptors are
/// called again for the request to the server.
public protocol RequestInterceptor: Sendable {
    /// A function that makes the exchange, within the inner interceptors.
    typealias Exchange = nonisolated(nonsending) (RequestMessage) async throws -> BackendResponse

    /// Returns the response to a request, which it may change before the exchange.
    ///
    /// - Parameter next: Makes the exchange, or looks up the cache; may be called any number of times, or not at all.
    /// - Throws: Errors of the exchange or its own, which reach the next outer interceptor, and then the caller, unchanged.
    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse
}
