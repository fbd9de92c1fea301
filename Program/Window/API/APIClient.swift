import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP

/// The requests of the window to an origin's API.
struct APIClient: Sendable {
    /// The limits of a request, for which a page waits.
    private static let limits = ResponseLimits(bodySize: 4 << 20, time: .seconds(10))
    /// The limits of a forwarded write, whose sender waits and repeats it.
    private static let forwardingLimits = ResponseLimits(bodySize: 256 << 10, time: .seconds(120))

    /// The limits of a proof, which is at most a photo.
    private static let downloadLimits = ResponseLimits(bodySize: 16 << 20, time: .seconds(30))

    /// The limits of an import, which creates many orders.
    private static let importLimits = ResponseLimits(bodySize: 4 << 20, time: .seconds(3_600))

    /// The limits of the request for the readiness of the origin, for which a load balancer waits.
    private static let readinessLimits = ResponseLimits(bodySize: 1 << 10, time: .seconds(3))

    private let client: BackendClient
    private let streams: BackendClient
    private let uploads = UploadCounts()
    private let base: URL
    private let readiness: URL

    init(_ client: BackendClient, streams: BackendClient, origin: URL) {
        self.client = client.withoutInterceptors().withoutRetries()
        self.streams = streams.withoutInterceptors().withoutRetries()
        base = origin.appending(path: "api/v1")
        readiness = origin.appending(path: "ready")
    }

    /// Returns whether the origin can answer requests now. The request waits for no connection of pages.
    func isOriginReady() async -> Bool {
        let response = try? await streams.response(to: RequestMessage(url: readiness), within: Self.readinessLimits)
        return response?.status == .ok
    }

    /// Sends a request, and returns the response whatever its status.
    ///
    /// - Parameters:
    ///   - path: The path below the API, whose parts are percent-encoded.
    ///   - containsSecrets: Whether the body of the request or of the response holds secrets, so that the exchange is not recorded.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: [String: String] = [:], token: String? = nil, fields: HTTPFields = [:],
        json: [String: String]? = nil, containsSecrets: Bool = false
    ) async throws -> BackendResponse {
        var fields = fields
        if json != nil { fields[.contentType] = "application/json" }
        let body = try json.map { try JSONEncoder().encode($0) } ?? Data()
        var message = message(method, path, query, token, fields, .bytes(Array(body)))
        message.containsSecrets = containsSecrets
        return try await client.response(to: message, within: Self.limits)
    }

    /// Downloads a proof.
    func download(_ path: String, token: String) async throws -> BackendResponse {
        try await client.response(to: message(.get, path, [:], token, [.accept: "*/*"], .bytes([])), within: Self.downloadLimits)
    }

    /// Forwards a write with its body, which may be a stream.
    ///
    /// - Parameter containsSecrets: Whether the body holds secrets, as one of the kind `pin` does, so that the exchange is not recorded.
    /// - Throws: `PageError.tooManyUploads`, and errors of the exchange and of the stream.
    func forward(
        _ method: HTTPRequest.Method, _ path: String, query: [String: String] = [:], token: String, fields: HTTPFields, body: RequestBody,
        containsSecrets: Bool = false
    ) async throws -> BackendResponse {
        var message = message(method, path, query, token, fields, body)
        message.containsSecrets = containsSecrets || query["kind"] == "pin"
        return try await uploads.counting(body, of: token) {
            try await client.response(to: message, within: Self.forwardingLimits)
        }
    }

    /// Reads a response as it arrives.
    ///
    /// - Parameter receive: Called with each part.
    /// - Throws: `BackendError.status` if the request is refused.
    func read(_ path: String, query: [String: String], token: String, receive: ([UInt8]) async throws -> Void) async throws {
        try await streams.exchange(message(.get, path, query, token, [.accept: "*/*"], .bytes([]))) { head, body, url in
            guard head.status.kind == .successful else { throw try await error(head, body, url) }
            for try await chunk in body { try await receive(chunk) }
        }
    }

    /// Sends a file of orders, which is not recorded because it may have PINs.
    ///
    /// - Throws: `PageError.tooManyUploads`, and errors of the exchange and of the stream.
    func importFile(_ query: [String: String], token: String, body: RequestBody) async throws -> BackendResponse {
        var message = message(.post, "imports", query, token, [:], body)
        message.containsSecrets = true
        return try await uploads.counting(body, of: token) {
            try await client.response(to: message, within: Self.importLimits)
        }
    }

    /// Reads an event stream until it ends.
    ///
    /// - Parameter receive: Called with each event.
    /// - Throws: `BackendError.status` if the stream is refused, and `EventStreamError` for another response, such as a maintenance page.
    func events(_ path: String, query: [String: String], token: String, receive: (ServerSentEvent) -> Void) async throws {
        let message = message(.get, path, query, token, [.accept: "text/event-stream"], .bytes([]))
        try await streams.exchange(message) { head, body, url in
            guard head.status.kind == .successful else { throw try await error(head, body, url) }
            guard head.status == .ok, head.headers.mediaType == "text/event-stream" else {
                throw EventStreamError.unexpectedContentType(head.headers[.contentType])
            }
            for try await event in ServerSentEvents(body) { receive(event) }
        }
    }

    private func message(
        _ method: HTTPRequest.Method, _ path: String, _ query: [String: String], _ token: String?, _ fields: HTTPFields,
        _ body: RequestBody
    ) -> RequestMessage {
        var fields = fields
        if fields[.accept] == nil { fields[.accept] = "application/json" }
        if let token { fields[.authorization] = "Bearer \(token)" }
        let parameters = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncodedComponent)" }.joined(separator: "&")
        let suffix = parameters.isEmpty ? "" : "?\(parameters)"
        // The path is encoded already: each caller encodes its parts.
        let url = URL(string: "\(base.absoluteString)/\(path)\(suffix)") ?? base.appending(path: path)
        return RequestMessage(method: method, url: url, headers: fields, body: body)
    }

    /// Returns the error of a streamed response.
    private func error(_ head: ResponseHead, _ body: ResponseBody, _ url: URL) async throws -> BackendError {
        BackendError(statusOf: try await BackendResponse(url: url, head, body, limit: ErrorResponse.bodyLimit))
    }

    func decode<Value: Decodable>(_ response: BackendResponse) throws -> Value {
        guard response.status.kind == .successful else { throw BackendError(statusOf: response) }
        return try JSONDecoder().decode(Value.self, from: Data(response.body))
    }
}
