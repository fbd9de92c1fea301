public import Foundation
public import HTTPTypes
public import LadingHTTP
import Synchronization

/// An executor that responds from a script instead of a network, and records requests.
///
/// ```swift
/// let executor = ScriptedExecutor()
/// executor.script("http://example.org/orders.plist", .response(body: plist))
/// executor.script("http://example.org/order-1.xml", .response(status: .internalServerError), behind: gate)
/// ```
///
/// The response to a URL without a script is a 404. A host has a public address unless it is an IP address or `localhost`, or `setAddress(of:to:)`
/// sets another one. Requests that their address policy forbids are refused.
public final class ScriptedExecutor: BackendExecutor {
    /// The response to a request.
    public enum Response: Sendable {
        case response(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: [UInt8] = [])
        /// A body in chunks.
        case chunks([[UInt8]], headers: HTTPFields = [:])
        case failure(any Error)
        /// A head and chunks, followed by an error.
        case truncated(after: [[UInt8]], any Error)

        public static func response(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], text: String) -> Response {
            .response(status: status, headers: headers, body: Array(text.utf8))
        }
    }

    /// The maximum length of a request body, in bytes.
    package static let bodyLimit = 64 << 20

    private struct Script {
        var responses: [Response]
        var gate: Gate?
    }

    private struct State {
        var scripts: [String: Script] = [:]
        var addresses = ["localhost": IPAddress.v4(0x7F00_0001)]
        var requests: [RequestMessage] = []
        var cancelled: [URL] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Sets the responses of a URL, in the order of requests; the last one is repeated.
    ///
    /// - Parameter gate: The gate at which each request waits for its response.
    public func script(_ url: String, _ responses: Response..., behind gate: Gate? = nil) {
        precondition(!responses.isEmpty, "a script needs at least one answer")
        state.withLock { $0.scripts[url] = Script(responses: responses, gate: gate) }
    }

    /// Sets the address of a host.
    public func setAddress(of host: String, to address: IPAddress) {
        state.withLock { $0.addresses[host] = address }
    }

    /// The received messages in order, with their bodies in memory, except those that were refused or whose body failed.
    public var requests: [RequestMessage] { state.withLock { $0.requests } }

    /// The absolute URLs of received messages, in order.
    public var requestedURLs: [String] { requests.map(\.url.absoluteString) }

    /// The URLs of exchanges cancelled while waiting at their gate, in order.
    public var cancelled: [URL] { state.withLock { $0.cancelled } }

    public nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try checkAddress(of: message)
        let (response, gate) = next(for: try await received(message))
        do {
            try await gate?.wait()
            try Task.checkCancellation()
        } catch {
            state.withLock { $0.cancelled.append(message.url) }
            throw error
        }
        switch response {
        case .failure(let error): throw error
        case .response(let status, let headers, let body):
            return try await receive(ResponseHead(status: status, headers: headers), body.isEmpty ? .of([]) : .of([body]))
        case .chunks(let chunks, let headers):
            return try await receive(ResponseHead(status: .ok, headers: headers), .of(chunks))
        case .truncated(let chunks, let error):
            return try await receive(ResponseHead(status: .ok), .of(chunks, endingWith: error))
        }
    }

    private func checkAddress(of message: RequestMessage) throws {
        guard let host = message.url.host() else { return }
        let address = state.withLock { $0.addresses[host] } ?? IPAddress(host)
        guard address.map(message.addressPolicy.allows) ?? true else { throw BackendError.policyViolation(message.url, .privateAddress) }
    }

    /// Returns the message with its body in memory.
    private func received(_ message: RequestMessage) async throws -> RequestMessage {
        guard message.body.bytes == nil else {
            message.body.reportSent(message.body.length ?? 0)
            return message
        }
        var received = message
        received.body = .bytes(try await message.body.collected(limit: Self.bodyLimit))
        return received
    }

    private func next(for message: RequestMessage) -> (Response, Gate?) {
        state.withLock { state in
            state.requests.append(message)
            let url = message.url.absoluteString
            guard var script = state.scripts[url] else { return (.response(status: .notFound), nil) }
            defer { state.scripts[url] = script }
            return (script.responses.count > 1 ? script.responses.removeFirst() : script.responses[0], script.gate)
        }
    }
}

extension ResponseBody {
    /// Returns a body of chunks, which optionally ends with an error.
    fileprivate static func of(_ chunks: [[UInt8]], endingWith error: (any Error)? = nil) -> ResponseBody {
        var remaining = chunks.makeIterator()
        return ResponseBody {
            if let chunk = remaining.next() { return chunk }
            if let error { throw error }
            return nil
        }
    }
}
