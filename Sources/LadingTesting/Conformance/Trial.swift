import Foundation
import HTTPTypes
import LadingHTTP
import Synchronization
import Testing

/// What a case has at hand: an executor, servers, and the place where what it finds is reported.
final class Trial: Sendable {
    /// Where replies come from, and how to ask for them.
    struct Stage: Sendable {
        var executor: any BackendExecutor
        var url: URL
    }

    private struct State {
        var servers: [ScriptedServer] = []
        var isGivenUp = false
    }

    /// How long a head may take where it does not matter.
    static let timeLimit = Duration.seconds(60)

    /// Makes an executor for a reply; or the one executor for all.
    private let executorAnswering: @Sendable (BackendReply) -> any BackendExecutor
    private let isScripted: Bool
    let sourceLocation: SourceLocation
    private let state = Mutex(State())

    init(scripting make: @escaping @Sendable (BackendReply) -> any BackendExecutor, _ sourceLocation: SourceLocation) {
        executorAnswering = make
        isScripted = true
        self.sourceLocation = sourceLocation
    }

    init(_ executor: any BackendExecutor, _ sourceLocation: SourceLocation) {
        executorAnswering = { _ in executor }
        isScripted = false
        self.sourceLocation = sourceLocation
    }

    // MARK: Servers

    /// A server that answers each request with a script, and may do something before it reads the body.
    func server(
        interjecting steps: ScriptedServer.Step..., answer: @escaping @Sendable (ReceivedRequest) -> [ScriptedServer.Step]
    ) throws -> ScriptedServer {
        let server = try ScriptedServer(interject: { _ in steps }, answer: answer)
        state.withLock { $0.servers.append(server) }
        return server
    }

    /// A server that does the same for each request.
    func server(_ steps: ScriptedServer.Step...) throws -> ScriptedServer {
        try server { _ in steps }
    }

    /// Somebody who answers with a proper reply, over a socket or not.
    func stage(status: Int = 200, _ headers: HTTPFields = [:], body: [UInt8] = []) throws -> Stage {
        var reply = BackendReply(
            url: URL(filePath: "/"), status: HTTPResponse.Status(code: status), headers: headers, body: body)
        if !isScripted {
            let server = try server(.send(head: status, headers, length: body.count), .send(body))
            reply.url = server.url()
        } else if let url = URL(string: "http://stage.example/thing") {
            reply.url = url
        }
        return Stage(executor: executorAnswering(reply), url: reply.url)
    }

    /// The executor, to ask a server with.
    var executor: any BackendExecutor {
        executorAnswering(BackendReply(url: URL(filePath: "/"), status: .ok))
    }

    // MARK: Exchanges

    /// A whole reply.
    func reply(
        to message: RequestMessage, timeLimit: Duration = timeLimit, through executor: (any BackendExecutor)? = nil
    ) async throws -> BackendReply {
        try await (executor ?? self.executor).execute(message, timeLimit: timeLimit) { head, body in
            var reply = BackendReply(url: message.url, status: head.status, headers: head.headers)
            for try await chunk in body { reply.body += chunk }
            return reply
        }
    }

    func reply(from server: ScriptedServer, timeLimit: Duration = timeLimit) async throws -> BackendReply {
        try await reply(to: RequestMessage(url: server.url()), timeLimit: timeLimit)
    }

    func reply(from stage: Stage) async throws -> BackendReply {
        try await reply(to: RequestMessage(url: stage.url), through: stage.executor)
    }

    // MARK: Findings

    func expect(_ condition: Bool, _ comment: String) {
        #expect(condition, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ comment: String = "") {
        #expect(found == wanted, Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    /// Expects an exchange to fail in one of these ways, and no other.
    func expectFailure<Outcome>(_ kinds: FailureKind..., of exchange: () async throws -> Outcome) async {
        do {
            let outcome = try await exchange()
            expect(false, "expected to be \(kinds), was \(outcome)")
        } catch {
            expect(FailureKind(error).map(kinds.contains) ?? false, "expected to be \(kinds), was \(error)")
        }
    }

    /// Expects the client to have closed its connection, now or soon.
    func expectClosing(_ server: ScriptedServer) async throws {
        try await server.until { $0.closedByClient > 0 }
    }

    // MARK: The end

    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// The case takes too long: what it waits for is torn down.
    func giveUp(after patience: Duration) {
        state.withLock { $0.isGivenUp = true }
        expect(false, "did not end within \(patience)")
        end()
    }

    func end() {
        for server in state.withLock({ $0.servers }) { server.stop() }
    }
}

/// In which way an exchange failed.
enum FailureKind: Sendable {
    case unreachable, timedOut, interrupted, malformed, bodyTooLarge, tooManyRedirects, refused, cancelled

    init?(_ error: any Error) {
        switch error {
        case BackendError.unreachable: self = .unreachable
        case BackendError.timedOut: self = .timedOut
        case BackendError.interrupted: self = .interrupted
        case BackendError.malformedReply: self = .malformed
        case BackendError.bodyTooLarge: self = .bodyTooLarge
        case BackendError.tooManyRedirects: self = .tooManyRedirects
        case BackendError.refused(_, .privateAddress): self = .refused
        case is CancellationError: self = .cancelled
        default: return nil
        }
    }
}

extension ScriptedServer.Step {
    /// Sends the head of a reply.
    ///
    /// - Parameter length: That of the body which is to follow.
    static func send(head status: Int, _ headers: HTTPFields = [:], length: Int) -> Self {
        let fields = headers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        let mayHaveBody = status >= 200 && status != 204 && status != 304
        return .send("HTTP/1.1 \(status) Words\r\n\(fields)\(mayHaveBody ? "Content-Length: \(length)\r\n" : "")\r\n")
    }
}
