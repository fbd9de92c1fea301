import Deliveries
import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecords
import LadingTesting
import Logging
import MarsPhotos
import ServerSecurity
import ServerStartup
@testable import Window

extension WindowServer {
    /// Creates a window whose data comes from `a.org` through a scripted executor, with a fixed time.
    ///
    /// - Parameters:
    ///   - archive: The archive that persists orders and photo lists beyond the window.
    ///   - hasAccounts: Whether people sign in at `a.org`.
    ///   - offersDemoPeople: Whether everybody at this machine may be one of the demo's people.
    init(
        executor: ScriptedExecutor, store: MemoryRecordStore<Delivery> = MemoryRecordStore(),
        journal: MemoryOutboxJournal = MemoryOutboxJournal(), archive: RecordArchive? = nil, host: String = "127.0.0.1",
        allowedNames names: [String] = [], tiles: MapTiles? = nil, pages: Int = WindowConfiguration.defaultPages,
        pagesPerClient: Int = WindowConfiguration.defaultPagesPerClient, proxies: TrustedProxies = TrustedProxies(),
        hasAccounts: Bool = false, offersDemoPeople: Bool = false
    ) async throws {
        let client = BackendClient(executor: executor)
        let queue = BackendQueue()
        let repository = OrderRepository(
            ordersURL: URL(string: "http://a.org/orders.plist")!, itemsURL: URL(string: "http://a.org/items.plist")!,
            client: client, queue: queue, archive: archive, now: { Date(timeIntervalSince1970: 7_200) })
        let deliveries = try await DeliveryRepository(store: store, journal: journal, client, queue) { Date(timeIntervalSince1970: 0) }
        let photos = PhotoSourceKind.v1.source(at: PhotoWire.service, client: client)
        let address = ListenAddress(host: host, port: 0)
        let account = AccountService(client, streams: client, origin: URL(string: "http://a.org")!, offersDemoPeople: offersDemoPeople)
        try self.init(
            WindowConfiguration(
                address: address, allowedHosts: AllowedHosts(listeningOn: address, names: names), pages: pages,
                pagesPerClient: pagesPerClient, clients: ClientLimits(proxies: proxies)),
            showing: repository, deliveries,
            PhotoRepository(photos, queue: queue, archive: archive, clock: ManualClock(), now: { Date(timeIntervalSince1970: 7_200) }),
            tiles: tiles, account: hasAccounts ? account : nil, logger: Logger(label: "test"), clock: ManualClock())
    }
}

extension DeliveryRepository {
    /// Creates a repository of the deliveries of `a.org`, with an outbox in memory.
    init(
        store: any RecordStore<Delivery>, journal: MemoryOutboxJournal = MemoryOutboxJournal(), _ client: BackendClient,
        _ queue: BackendQueue, mayHaveLostFavourites: Bool = false, isDiskFull: Bool = false, now: @escaping @Sendable () -> Date
    ) async throws {
        let list = DeliveryList(url: DeliveryWire.list)
        let outbox = try await Outbox(client: client, queue: queue, journal: journal, clock: ManualClock(), now: now)
        self.init(
            list, store: store, favourites: DeliveryFavourites(of: list, in: store, outbox: outbox), client: client, queue: queue,
            mayHaveLostFavourites: mayHaveLostFavourites, isDiskFull: isDiskFull, timeZone: .gmt, now: now)
    }
}
