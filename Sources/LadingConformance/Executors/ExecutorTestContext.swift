import Foundation
import HTTPTypes
import LadingHTTP
import ScriptedServers
import Synchronization
import Testing

/// The context of a case: an executor, servers, and the source location of its issues.
final class ExecutorTestContext: Sendable {
    /// A source of responses, with the executor and the URL that reach it.
    struct Endpoint: Sendable {
        var executor: any BackendExecutor
        var url: URL
    }

    private struct State {
        var servers: [ScriptedServer] = []
        var hasTimedOut = false
    }

    /// The time limit of a head where a case does not test it.
    static let timeLimit = Duration.seconds(60)

    /// A closure that returns an executor for a scripted response, or the tested executor.
    private let makeExecutor: @Sendable (BackendResponse) -> any BackendExecutor
    private let isScripted: Bool
    let sourceLocation: SourceLocation
    private let state = Mutex(State())

    init(scripting make: @escaping @Sendable (BackendResponse) -> any BackendExecutor, _ sourceLocation: SourceLocation) {
        makeExecutor = make
        isScripted = true
        self.sourceLocation = sourceLocation
    }

    init(_ executor: any BackendExecutor, _ sourceLocation: SourceLocation) {
        makeExecutor = { _ in executor }
        isScripted = false
        self.sourceLocation = sourceLocation
    }

    // MARK: Servers

    /// Starts a server that runs a script for each request, and optionally steps before it reads the body.
    func server(
        beforeBody steps: ScriptedServer.Step..., respond: @escaping @Sendable (ReceivedRequest) -> [ScriptedServer.Step]
    ) throws -> ScriptedServer {
        let server = try ScriptedServer(beforeBody: { _ in steps }, respond: respond)
        state.withLock { $0.servers.append(server) }
        return server
    }

    /// Starts a server that performs the same steps for each request.
    func server(_ steps: ScriptedServer.Step...) throws -> ScriptedServer {
        try server { _ in steps }
    }

    /// Returns an endpoint with a valid response, from a server or from a script.
    func endpoint(status: Int = 200, _ headers: HTTPFields = [:], body: [UInt8] = []) throws -> Endpoint {
        var response = BackendResponse(
            url: URL(filePath: "/"), status: HTTPResponse.Status(code: status), headers: headers, body: body)
        if !isScripted {
            let server = try server(.send(head: status, headers, length: body.count), .send(body))
            response.url = server.url()
        } else if let url = URL(string: "http://stage.example/thing") {
            response.url = url
        }
        return Endpoint(executor: makeExecutor(response), url: response.url)
    }

    /// The executor for requests to servers.
    var executor: any BackendExecutor {
        makeExecutor(BackendResponse(url: URL(filePath: "/"), status: .ok))
    }

    // MARK: Exchanges

    /// Returns a complete response.
    func response(
        to message: RequestMessage, timeLimit: Duration = timeLimit, through executor: (any BackendExecutor)? = nil
    ) async throws -> BackendResponse {
        try await (executor ?? self.executor).execute(message, timeLimit: timeLimit) { head, body in
            var response = BackendResponse(url: message.url, status: head.status, headers: head.headers)
            for try await chunk in body { response.body += chunk }
            return response
        }
    }

    func response(from server: ScriptedServer, timeLimit: Duration = timeLimit) async throws -> BackendResponse {
        try await response(to: RequestMessage(url: server.url()), timeLimit: timeLimit)
    }

    func response(from endpoint: Endpoint) async throws -> BackendResponse {
        try await response(to: RequestMessage(url: endpoint.url), through: endpoint.executor)
    }

    // MARK: Expectations

    func expect(_ condition: Bool, _ comment: String) {
        #expect(condition, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ comment: String = "") {
        #expect(actual == expected, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    /// Expects an exchange to fail in one of these ways.
    func expectFailure<Outcome>(_ kinds: FailureKind..., of exchange: () async throws -> Outcome) async {
        do {
            let outcome = try await exchange()
            expect(false, "expected to be \(kinds), was \(outcome)")
        } catch {
            expect(FailureKind(error).map(kinds.contains) ?? false, "expected to be \(kinds), was \(error)")
        }
    }

    /// Waits until the client has closed a connection.
    func expectClientClose(from server: ScriptedServer) async throws {
        try await server.wait { $0.closedByClient > 0 }
    }

    // MARK: Timeout

    var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Reports that the case has exceeded its time limit, and stops the servers that it may be waiting for.
    func timeOut(after limit: Duration) {
        state.withLock { $0.hasTimedOut = true }
        expect(false, "did not end within \(limit)")
        stopServers()
    }

    func stopServers() {
        for server in state.withLock({ $0.servers }) { server.stop() }
    }
}

/// The kind of failure of an exchange.
enum FailureKind: Sendable {
    case unreachable, timedOut, interrupted, malformed, bodyTooLarge, tooManyRedirects, refused, cancelled

    init?(_ error: any Error) {
        switch error {
        case BackendError.unreachable: self = .unreachable
        case BackendError.timedOut: self = .timedOut
        case BackendError.interrupted: self = .interrupted
        case BackendError.malformedResponse: self = .malformed
        case BackendError.bodyTooLarge: self = .bodyTooLarge
        case BackendError.tooManyRedirects: self = .tooManyRedirects
        case BackendError.policyViolation(_, .privateAddress): self = .refused
        case is CancellationError: self = .cancelled
        default: return nil
        }
    }
}

extension ScriptedServer.Step {
    /// Sends the head of a response.
    ///
    /// - Parameter length: The length of the body that follows.
    static func send(head status: Int, _ headers: HTTPFields = [:], length: Int) -> Self {
        let fields = headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        let mayHaveBody = status >= 200 && status != 204 && status != 304
        return .send("HTTP/1.1 \(status) Words\r\n\(fields)\(mayHaveBody ? "Content-Length: \(length)\r\n" : "")\r\n")
    }
}
