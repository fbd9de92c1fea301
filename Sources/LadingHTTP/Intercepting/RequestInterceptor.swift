/// Stands around the exchanges of a `BackendClient`: it may change a message, look at the reply or the error, and ask again.
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
/// Interceptors are like the layers of an onion: the first one given is the outermost, which sees the message first and the reply last.
/// Redirects are followed within the innermost, so that the reply may be that of another host (`BackendResponse.url`). All that happens counts
/// against the time that the request is given.
public protocol RequestInterceptor: Sendable {
    /// Makes the exchange, or what stands further in.
    typealias Exchange = nonisolated(nonsending) (RequestMessage) async throws -> BackendResponse

    /// - Parameter next: May be called not at all, once, or again.
    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse
}
