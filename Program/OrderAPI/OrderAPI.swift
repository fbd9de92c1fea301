package import HTTPTypes
package import Hummingbird
package import Logging
package import NIOCore
package import OrderLifecycle
package import OrderStorage
package import ServerStartup

/// The context of a request to the API, which knows the client's address and the event loop of its connection.
package protocol OrderAPIContext: RequestContext {
    /// Nil for a connection without an address.
    var peer: SocketAddress? { get }
    /// The event loop of the connection.
    var eventLoop: any EventLoop { get }
}

/// The API under `/api/v1`: orders, commands, proofs, people and the change feed, for people with tokens.
///
/// Its description is at `/api/v1/openapi.json`. Failures are problem documents (RFC 9457).
package struct OrderAPI: Sendable {
    package static let path = "/api/v1"

    /// The durations and limits of the API.
    package struct Settings: Sendable {
        /// Whether the location that a camera writes into photos is stored.
        package var retainsPhotoLocations = false
        /// Whether everybody who can connect may sign in as one of the demo's people.
        package var hasDemoPeople = false
        package var retention = OrderRetention()
        /// The state of the webhook; nil without one.
        package var webhook: WebhookMonitor?

        package init() {}
    }

    let store: any OrderImportStore
    let settings: Settings
    let changes: ChangeBroadcaster
    let signInLimit: SignInLimit
    let proxies: TrustedProxies
    let people: PersonRegistry
    /// Makes the ids of imports.
    let random: RandomText
    /// Whether an error of the store means that its disk is full.
    let isDiskFull: @Sendable (any Error) -> Bool
    let now: @Sendable () -> Timestamp

    /// Creates an API.
    ///
    /// - Parameters:
    ///   - proxies: The proxies that are trusted to name the client of a request.
    ///   - random: Makes secrets and ids.
    ///   - isDiskFull: Returns whether an error of the store means that its disk is full.
    package init(
        _ store: any OrderImportStore, settings: Settings = Settings(), proxies: TrustedProxies = TrustedProxies(),
        random: RandomText = RandomText(), isDiskFull: @escaping @Sendable (any Error) -> Bool = { _ in false },
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.settings = settings
        self.random = random
        self.proxies = proxies
        self.isDiskFull = isDiskFull
        self.now = now
        people = PersonRegistry(store, random: random, now: now)
        changes = ChangeBroadcaster(store, now: now)
        signInLimit = SignInLimit()
    }

    /// Adds the routes.
    package func add(to router: some RouterMethods<some OrderAPIContext>) {
        let group = router.group("api/v1").add(middleware: ProblemMiddleware(isDiskFull: isDiskFull))
        group.get("openapi.json") { _, _ in try APIDescription.response() }
        addPeople(to: group)
        addBoard(to: group)
        addCommands(to: group)
        addProofs(to: group)
        addChanges(to: group)
        addFiles(to: group)
        addWebhook(to: group)
    }

    /// The methods that paths of the API may have.
    static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    /// Returns the methods that a path may have; nil for one outside of the API.
    package static func methods(at path: String) -> [HTTPRequest.Method]? {
        guard path.hasPrefix(Self.path + "/") else { return nil }
        return methods
    }

    /// Returns whether requests can be answered now, for load balancers.
    package func readiness() async -> Response {
        let isReady = (try? await store.position()) != nil
        return Response(
            status: isReady ? .ok : .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: isReady ? "ready" : "the database cannot be reached")))
    }

    /// The change feed.
    package var feed: OrderFeed { OrderFeed(store: store, broadcaster: changes) }

    /// Sends changes to the open streams and expires leases, until its task is cancelled.
    package func runMaintenance(clock: some Clock<Duration>, logger: Logger) async {
        await Maintenance(store: store, settings: settings, changes: changes, now: now, logger: logger).run(clock: clock)
    }
}

extension OrderAPI {
    /// Performs a command and announces its change to the streams.
    func perform(_ command: OrderStoreCommand, at time: Timestamp) async throws -> CommandResult {
        let result = try await store.perform(command, at: time)
        if !result.isRepeated { changes.notify() }
        return result
    }
}
