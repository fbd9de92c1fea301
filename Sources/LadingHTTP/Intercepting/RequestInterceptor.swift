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
/// the response may be that of another host (`BackendResponse.url`). The time limit of a request includes its interceptors. Of the body of an error
/// they receive at most `ErrorResponse.bodyLimit` bytes, except in `BackendClient.response(to:)`.
public protocol RequestInterceptor: Sendable {
    /// A function that makes the exchange, within the inner interceptors.
    typealias Exchange = nonisolated(nonsending) (RequestMessage) async throws -> BackendResponse

    /// Returns the response to a request, which it may change before the exchange.
    ///
    /// - Parameter next: Makes the exchange; may be called any number of times, or not at all.
    /// - Throws: Errors of the exchange or its own, which reach the next outer interceptor, and then the caller, unchanged.
    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse
}
