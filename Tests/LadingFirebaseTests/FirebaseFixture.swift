import Foundation
import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingTesting
import LadingTransfers
import Synchronization

/// A Firebase project on this machine, and its clients over real sockets.
final class FirebaseFixture: Sendable {
    static let email = "ada@example.org"
    static let password = "secret words"

    let server: FirebaseServer
    let client: BackendClient
    let authentication: FirebaseAuthentication
    let database: RealtimeDatabase
    /// The orders in the database.
    let orders: DatabaseReference
    let storage: FirebaseStorage
    let clock = ManualClock()
    let time: ManualTime
    let credentialLog: CredentialLog

    /// - Parameter jitter: The fraction of the maximum delay that is waited.
    init(jitter: Double = 0, attempts: Int = 4, interceptors: [any RequestInterceptor] = [], executor: (any BackendExecutor)? = nil) throws
    {
        let (time, log) = (ManualTime(), CredentialLog())
        (self.time, self.credentialLog) = (time, log)
        server = try FirebaseServer { time.now }
        server.addUser(Self.email, password: Self.password)
        // The long read timeout leaves leaked streams open, so that tests detect them.
        client = BackendClient(executor: executor ?? URLSessionExecutor(readTimeout: .seconds(600)), interceptors: interceptors)
        authentication = FirebaseAuthentication(server.project, client: client, now: { time.now }, onChange: { log.append($0) })
        let retryPolicy = TransferRetryPolicy(attempts: attempts, base: .seconds(1), cap: .seconds(8))
        database = RealtimeDatabase(
            server.project, client: client, authentication: authentication, retryPolicy: retryPolicy, clock: clock, jitter: { jitter })
        orders = try database.reference("orders")
        storage = FirebaseStorage(
            server.project, client: client, authentication: authentication, retryPolicy: retryPolicy, clock: clock,
            random: { jitter < 1 ? UInt64(jitter * 0x1p64) : .max })
    }

    deinit { server.stop() }

    func signIn() async throws { try await authentication.signIn(email: Self.email, password: Self.password) }
}

/// A suite whose tests have a fixture each.
protocol FirebaseSuite {
    var fixture: FirebaseFixture { get }
}

extension FirebaseSuite {
    var server: FirebaseServer { fixture.server }
    var orders: DatabaseReference { fixture.orders }
}

/// A date that tests advance.
final class ManualTime: Sendable {
    private let state = Mutex(Date(timeIntervalSince1970: 1_000_000_000))

    var now: Date { state.withLock { $0 } }

    func advance(by seconds: TimeInterval) { state.withLock { $0 += seconds } }
}

/// The credentials that were reported for storage, in order.
final class CredentialLog: Sendable {
    private let state = Mutex<[FirebaseCredential?]>([])

    var all: [FirebaseCredential?] { state.withLock { $0 } }

    func append(_ credential: FirebaseCredential?) { state.withLock { $0.append(credential) } }
}

/// An interceptor that adds a field to each message, and logs the URL and the authorization that it sees.
struct AppCheckInterceptor: RequestInterceptor {
    static let field = HTTPField.Name("X-Firebase-AppCheck")!

    let log: Log

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        log.append("\(message.url.absoluteString) \(message.headers[.authorization] ?? "-")")
        var message = message
        message.headers[Self.field] = "attested"
        return try await next(message)
    }
}
