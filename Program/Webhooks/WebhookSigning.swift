import HTTPTypes
import LadingHTTP
import OrderLifecycle

/// Adds the time and the signature of Standard Webhooks to each attempt. The id is stored with the event, so that it is that of the first attempt.
struct WebhookSigning: RequestInterceptor {
    let secret: WebhookSecret
    let now: @Sendable () -> Timestamp

    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        let (id, seconds) = (message.headers[.webhookID] ?? "", now().milliseconds / 1_000)
        var message = message
        message.headers[.webhookTimestamp] = "\(seconds)"
        message.headers[.webhookSignature] = secret.signature(of: message.body.bytes ?? [], id: id, timestamp: seconds)
        return try await next(message)
    }
}

extension HTTPField.Name {
    static let webhookID = Self("webhook-id")!
    fileprivate static let webhookTimestamp = Self("webhook-timestamp")!
    fileprivate static let webhookSignature = Self("webhook-signature")!
}
