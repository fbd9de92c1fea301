import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import OrderAPI
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import ServerStartup
import ServiceLifecycle

@testable import Origin

/// The creation date of demo cities in tests: Fri, 15 May 2026 12:00:00 GMT.
let demoDate = Date(timeIntervalSince1970: 1_778_846_400)

let silentLogger = Logger(label: "origin-tests") { _ in SwiftLogNoOpLogHandler() }

/// Creates an origin that can respond to requests without a socket.
func makeOrigin(
    orders: Int = 20,
    deliveries: Int = 50,
    host: String = "127.0.0.1",
    port: Int = 0,
    clients: ClientLimits = ClientLimits(),
    isPortOptional: Bool = false,
    storage: OriginConfiguration.Storage = .inMemory,
    faults: FaultPlan? = nil,
    now: @escaping @Sendable () -> Date = { demoDate },
    clock: any Clock<Duration> = ContinuousClock(),
    onListening: @escaping @Sendable (URL) async -> Void = { _ in }
) async throws -> OriginServer {
    let configuration = OriginConfiguration(
        address: ListenAddress(host: host, port: port), clientLimits: clients, isPortOptional: isPortOptional, storage: storage,
        orderCount: orders, deliveryCount: deliveries, faults: faults)
    return try await OriginServer(configuration, logger: silentLogger, now: now, clock: clock, onListening: onListening)
}

/// Runs an origin on a free port while a test uses it, then shuts it down gracefully.
func withRunningOrigin<Value: Sendable>(
    orders: Int = 20,
    clients: ClientLimits = ClientLimits(),
    storage: OriginConfiguration.Storage = .inMemory,
    _ test: (URL) async throws -> Value
) async throws -> Value {
    try await RunningOrigin(orders: orders, clients: clients, storage: storage).run(test)
}

/// An origin on a free port whose counts can be read after a test.
struct RunningOrigin {
    private let server: OriginServer
    private let addresses: AsyncStream<URL>

    init(
        orders: Int = 20,
        deliveries: Int = 50,
        port: Int = 0,
        clients: ClientLimits = ClientLimits(),
        isPortOptional: Bool = false,
        storage: OriginConfiguration.Storage = .inMemory,
        faults: FaultPlan? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        self.addresses = addresses
        server = try await makeOrigin(
            orders: orders, deliveries: deliveries, port: port, clients: clients, isPortOptional: isPortOptional, storage: storage,
            faults: faults, clock: clock
        ) { listening.yield($0) }
    }

    var counts: RequestCounts { server.metrics.counts }

    /// Runs it once and shuts it down gracefully, after which all responses have ended.
    func run<Value: Sendable>(_ test: (URL) async throws -> Value) async throws -> Value {
        try await server.run(while: test, addresses: addresses)
    }
}

extension Service {
    /// Runs the service while a test uses its address, then shuts it down gracefully.
    func run<Value: Sendable>(while test: (URL) async throws -> Value, addresses: AsyncStream<URL>) async throws -> Value {
        let group = ServiceGroup(configuration: .init(services: [self], logger: silentLogger))
        return try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            guard let address = await addresses.first(where: { _ in true }) else { throw CancellationError() }
            let value = try await test(address)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        }
    }
}

extension OriginServer {
    /// Adds a person, and returns a token that is valid for a day after the demo's date.
    func signIn(_ name: String, _ role: Role) async throws -> String {
        let (person, orders) = (PersonID(rawValue: name), database.orders())
        try await orders.addPerson(Person(id: person, name: name, role: role, creationTime: Timestamp(demoDate)))
        try await orders.addToken(SecretHash(ofSecret: name), of: person, expires: Timestamp(demoDate) + .seconds(86_400))
        return name
    }

    /// Sends a request to the routes and returns the response.
    func response(
        to uri: String,
        method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await application.test(.router) { client in
            try await client.executeRequest(uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }
}

extension TestClient {
    /// Opens two connections to a server and returns the status of a response on each; nil where the connection was closed.
    static func statusesOfTwo(at address: URL) async throws -> [HTTPResponse.Status?] {
        let port = address.port ?? 80
        return try await withClient(host: "127.0.0.1", port: port) { first in
            let status = try await first.execute(.init("/health", method: .get, authority: "localhost")).status
            let next = try? await withClient(host: "127.0.0.1", port: port) { second in
                try await second.execute(.init("/health", method: .get, authority: "localhost")).status
            }
            return [status, next]
        }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}
