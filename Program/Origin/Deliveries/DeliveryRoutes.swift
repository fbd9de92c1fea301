import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of the pages of deliveries in every version, and of their images.
///
/// | path | response |
/// |---|---|
/// | `/deliveries?offset=0&limit=20` | `[{"id":0,"description":"…","imageUrl":"…","location":{"lat":…,"lng":…,"address":"…"}}]` |
/// | `/v1/deliveries?offset=0&limit=20` | the same with `"favourite":false` in each row |
/// | `/v2/deliveries?offset=0&limit=20` | `[{"id":"5dd5f3a7…","remarks":"…","pickupTime":"…","goodsPicture":"…",…}]` |
/// | `/deliveries/pictures/flowers-3.svg` | SVG |
struct DeliveryRoutes: Sendable {
    private let store: any DeliveryStore
    private let lastModified: HTTPDate
    /// A replacement for the rows of the database, if any.
    private let faultyDeliveries: FaultyDeliveries?
    private let schedule: DemoSchedule?

    init(store: any DeliveryStore, lastModified: HTTPDate, faultyDeliveries: FaultyDeliveries? = nil, schedule: DemoSchedule? = nil) {
        self.schedule = schedule
        self.store = store
        self.lastModified = lastModified
        self.faultyDeliveries = faultyDeliveries
    }

    func add(to router: some RouterMethods<OriginContext>) {
        for version in DeliveryVersion.allCases {
            router.get("\(version.rawValue)") { request, _ in try await list(version, for: request) }
        }
        router.get("\(DeliveryPath.imageFolder)/:fileName") { _, context in
            guard let image = DeliveryImage(fileName: try context.parameters.require("fileName")) else { throw HTTPError(.notFound) }
            return Representation(ByteBuffer(string: image.document), of: .svg, lastModified: lastModified)
        }
    }

    private func list(_ version: DeliveryVersion, for request: Request) async throws -> Representation {
        let page = try DeliveryPage(of: request)
        let address = try PublicAddress.address(of: request)
        let text = DeliveryDocuments.page(try await entries(page, of: version).map(scheduled), of: version) { image in
            "\(address.text)\(DeliveryPath.imageFolder)/\(image.fileName)"
        }
        if faultyDeliveries != nil { return Representation(ByteBuffer(string: text), of: .noStorePage, lastModified: nil) }
        // A change of a favourite does not change the modification date of the rows.
        return Representation(ByteBuffer(string: text), of: .page, lastModified: version == .original ? lastModified : nil)
    }

    private func scheduled(_ entry: DeliveryDocuments.Entry) -> DeliveryDocuments.Entry {
        guard let schedule else { return entry }
        var entry = entry
        entry.delivery.pickupTime = schedule.nextDate(ofISOText: entry.delivery.pickupTime)
        return entry
    }

    private func entries(_ page: DeliveryPage, of version: DeliveryVersion) async throws -> [DeliveryDocuments.Entry] {
        guard let faultyDeliveries else { return try await store.deliveries(page) }
        let rows = faultyDeliveries.rows(page, of: version)
        guard let first = rows.first, let last = rows.last else { return [] }
        let favourites = try await store.favourites(in: first.id...last.id)
        return rows.map { ($0, favourites.contains($0.id)) }
    }
}
