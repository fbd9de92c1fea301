import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Origin

@Suite("Delivery routes")
struct DeliveryRoutesTests {
    private static let lists = ["/deliveries", "/v1/deliveries", "/v2/deliveries"]
    private let demo = DemoDeliveries(count: 50, seed: 1)

    @Test func `A page is an array of rows in the published form`() async throws {
        let response = try await makeOrigin().response(to: "/deliveries?offset=0&limit=2")

        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-cache")
        #expect(response.headers[.lastModified] == "Fri, 15 May 2026 12:00:00 GMT")
        let (first, second) = (demo.delivery(0), demo.delivery(1))
        let location = try #require(first.location)
        let imageURL = "http://localhost/deliveries/pictures/\(first.image.fileName)"
        #expect(
            response.text.hasPrefix(
                """
                [{"id":0,"description":"\(first.description)","imageUrl":"\(imageURL)","location":{"lat":\(location.latitude),\
                "lng":\(location.longitude),"address":"\(location.address)"}},{"id":1,"description":"\(second.description)",
                """))
    }

    @Test func `Every delivery carries all its fields`() async throws {
        let rows = try await makeOrigin().response(to: "/deliveries?offset=0&limit=50").decoded([DeliveryRow].self)

        #expect(
            rows
                == demo.ids.map(demo.delivery).map { delivery in
                    DeliveryRow(
                        id: delivery.id, description: delivery.description,
                        imageUrl: "http://localhost/deliveries/pictures/\(delivery.image.fileName)",
                        location: delivery.location.map { .init(lat: $0.latitude, lng: $0.longitude, address: $0.address) }, favourite: nil)
                })
        #expect(rows.contains { $0.location == nil })
    }

    @Test func `Rows of version 1 include favourites`() async throws {
        let response = try await makeOrigin().response(to: "/v1/deliveries?offset=0&limit=3")

        #expect(try response.decoded([DeliveryRow].self).map(\.favourite) == [false, false, false])
        #expect(response.headers[.lastModified] == nil && response.headers[.eTag] != nil)
    }

    @Test func `Rows of version 2 have their own format`() async throws {
        let response = try await makeOrigin().response(to: "/v2/deliveries?offset=0&limit=50")

        let rows = try response.decoded([SecondVersionDeliveryRow].self)
        #expect(
            rows
                == demo.ids.map(demo.delivery).map { delivery in
                    SecondVersionDeliveryRow(
                        id: delivery.key.text, remarks: delivery.remarks, pickupTime: delivery.pickupTime,
                        goodsPicture: "http://localhost/deliveries/pictures/\(delivery.image.fileName)",
                        deliveryFee: DeliveryDocuments.money(delivery.feeCents),
                        surcharge: DeliveryDocuments.money(delivery.surchargeCents),
                        route: .init(start: delivery.route.start, end: delivery.route.end),
                        sender: .init(phone: delivery.sender.phone, name: delivery.sender.name, email: delivery.sender.email),
                        isFavourite: false)
                })
        #expect(response.text.hasPrefix("[{\"id\":\"\(rows[0].id)\",\"remarks\":"))
    }

    @Test(arguments: [
        (0, "$0.00"), (7, "$0.07"), (9_214, "$92.14"), (100_000, "$1,000.00"), (123_456_78, "$123,456.78"), (-123_456_78, "-$123,456.78"),
        (.min, "-$92233720368547,758.08"),
    ])
    func `Amounts have a dollar sign and thousands separators`(cents: Int, text: String) {
        #expect(DeliveryDocuments.money(cents) == text)
    }

    @Test(arguments: lists)
    func `Paging ends with a short page`(list: String) async throws {
        let origin = try await makeOrigin()
        var counts: [Int] = []

        for offset in stride(from: 0, through: 60, by: 20) {
            counts.append(try await origin.response(to: "\(list)?offset=\(offset)&limit=20").decoded([IgnoredElement].self).count)
        }

        #expect(counts == [20, 20, 10, 0])
    }

    @Test(
        arguments: lists,
        [
            ("", "offset is missing."), ("?offset=0", "limit is missing."), ("?limit=20", "offset is missing."),
            ("?offset=-1&limit=20", "offset must not be negative."), ("?offset=0&limit=-20", "limit must not be negative."),
            ("?offset=one&limit=20", "offset must be an integer."), ("?offset=0&limit=1.5", "limit must be an integer."),
            ("?offset=&limit=20", "offset must be an integer."), ("?offset=%2B1&limit=20", "offset must be an integer."),
            ("?offset=99999999999999999999&limit=20", "offset must be an integer."), ("?offset=0&limit=1001", "limit can be at most 1000."),
        ])
    func `An invalid page is refused with the reason`(list: String, wrong: (query: String, reason: String)) async throws {
        let response = try await makeOrigin().response(to: list + wrong.query)

        #expect(response.status == .badRequest)
        #expect(response.text == wrong.reason + "\n")
    }

    @Test(arguments: lists.map { "\($0)?offset=10&limit=20" } + ["/deliveries/pictures/flowers-3.svg", "/v1/deliveries/7/favourite"])
    func `A response with a matching validator is 304`(path: String) async throws {
        let origin = try await makeOrigin()
        let first = try await origin.response(to: path)
        let tag = try #require(first.headers[.eTag])

        let second = try await origin.response(to: path, headers: [.ifNoneMatch: tag])
        let head = try await origin.response(to: path, method: .head)

        #expect(second.status == .notModified && second.body.readableBytes == 0)
        #expect(second.headers[.eTag] == tag && second.headers[.cacheControl] == first.headers[.cacheControl])
        #expect(head.headers == first.headers && head.body.readableBytes == 0)
    }

    @Test func `An image shows the described cargo and allows no scripts`() async throws {
        let origin = try await makeOrigin()
        let row = try #require(try await origin.response(to: "/deliveries?offset=4&limit=1").decoded([DeliveryRow].self).first)

        let response = try await origin.response(to: String(row.imageUrl.dropFirst("http://localhost".count)))

        let cargo = try #require(row.description.split(separator: " ").dropFirst().first)
        #expect(row.imageUrl.contains("/\(cargo)-"))
        #expect(response.headers[.contentType] == "image/svg+xml")
        #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'")
        #expect(response.headers[.cacheControl] == "max-age=86400")
        #expect(XMLTree.parse(response.text)?.name == "svg")
    }

    @Test(arguments: [
        "/deliveries/", "/deliveries/7", "/v3/deliveries?offset=0&limit=1", "/deliveries/pictures/gold-1.svg", "/v1/deliveries/7",
    ])
    func `Unknown paths get 404`(path: String) async throws {
        #expect(try await makeOrigin().response(to: path).status == (path == "/deliveries/" ? .badRequest : .notFound))
    }

    @Test func `A list cannot be written`() async throws {
        let response = try await makeOrigin().response(to: "/v1/deliveries", method: .post)

        #expect(response.status == .methodNotAllowed && response.headers[.allow] == "GET, HEAD")
    }

    @Test(arguments: [-1, 1_000_001])
    func `A delivery count out of range is refused`(deliveries: Int) async throws {
        let error = await #expect(throws: OriginError.self) { try await makeOrigin(deliveries: deliveries) }

        #expect(error?.description == "--deliveries must be from 0 to 1000000, not \(deliveries).")
    }

    @Test func `All deliveries can be paged over a socket and are counted`() async throws {
        let origin = try await RunningOrigin()

        let ids = try await origin.run { address in
            try await TestClient.withClient(host: "127.0.0.1", port: try #require(address.port)) { client in
                var ids: [Int] = []
                while true {
                    let response = try await client.execute(
                        .init("/deliveries?offset=\(ids.count)&limit=20", method: .get, authority: "localhost"))
                    let page = try JSONDecoder().decode([DeliveryRow].self, from: Data((response.body ?? .init()).readableBytesView))
                    ids += page.map(\.id)
                    if page.count < 20 { break }
                }
                _ = try await client.execute(.init("/deliveries/pictures/wine-0.svg", method: .get, authority: "localhost"))
                return ids
            }
        }

        #expect(ids == Array(0..<50))
        #expect(origin.counts.requests.deliveries == 3 && origin.counts.requests.images == 1)
        #expect(origin.counts.outcomeRow == [4, 0, 0])
    }

    /// An element of any type, which is ignored.
    private struct IgnoredElement: Decodable {
        init(from decoder: any Decoder) {}
    }
}
