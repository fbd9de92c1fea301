import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// An order service with documents chosen by a test.
struct StubOrderServer {
    /// The documents by path, including the query where it matters. `BASE` is replaced by the base URL.
    var documents: [String: String]
    /// The header fields of each document.
    var headers: HTTPFields = [.contentType: "application/xml"]
    var onRequest: @Sendable () -> Void = {}
    /// The number of requests that receive a response; later ones wait forever.
    var responseLimit = Int.max

    /// Waits until the server is stopped.
    private static func wait() async throws {
        let (never, end) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }

    /// Runs the server while a body uses its base URL.
    func serve<Outcome: Sendable>(_ body: @escaping @Sendable (String) async throws -> Outcome) async throws -> Outcome {
        let (ports, announce) = AsyncStream<Int>.makeStream()
        let (documents, headers, onRequest, responseLimit) = (documents, headers, onRequest, responseLimit)
        let requestCount = Atomic(0)
        let router = Router()
        router.get("**") { request, _ in
            onRequest()
            if requestCount.add(1, ordering: .relaxed).newValue > responseLimit { try await Self.wait() }
            guard let text = documents[request.uri.string] ?? documents[request.uri.path], let host = request.head.authority else {
                throw HTTPError(.notFound)
            }
            let body = ByteBuffer(string: text.replacing("BASE", with: "http://\(host)"))
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "foreign")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { announce.yield($0.localAddress?.port ?? 0) }, logger: logger)
        return try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return nil }
                return try await body("http://127.0.0.1:\(port)")
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }
}
