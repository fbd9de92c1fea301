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
        let answer = try await makeOrigin().answer("/deliveries?offset=0&limit=2")

        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-cache")
        #expect(answer.headers[.lastModified] == "Fri, 15 May 2026 12:00:00 GMT")
        let (first, second) = (demo.delivery(0), demo.delivery(1))
        let location = try #require(first.location)
        let picture = "http://localhost/deliveries/pictures/\(first.picture.fileName)"
        #expect(
            answer.text.hasPrefix(
                """
                [{"id":0,"description":"\(first.description)","imageUrl":"\(picture)","location":{"lat":\(location.latitude),\
                "lng":\(location.longitude),"address":"\(location.address)"}},{"id":1,"description":"\(second.description)",
                """))
    }

    @Test func `Every delivery carries all its fields`() async throws {
        let rows = try await makeOrigin().answer("/deliveries?offset=0&limit=50").decoded([DeliveryRow].self)

        #expect(
            rows
                == demo.ids.map(demo.delivery).map { delivery in
                    DeliveryRow(
                        id: delivery.id, description: delivery.description,
                        imageUrl: "http://localhost/deliveries/pictures/\(delivery.picture.fileName)",
                        location: delivery.location.map { .init(lat: $0.latitude, lng: $0.longitude, address: $0.address) }, favourite: nil)
                })
        #expect(rows.contains { $0.location == nil })
    }

    @Test func `The first version tells favourites besides`() async throws {
        let answer = try await makeOrigin().answer("/v1/deliveries?offset=0&limit=3")

        #expect(try answer.decoded([DeliveryRow].self).map(\.favourite) == [false, false, false])
        #expect(answer.headers[.lastModified] == nil && answer.headers[.eTag] != nil)
    }

    @Test func `The second version has its own form`() async throws {
        let answer = try await makeOrigin().answer("/v2/deliveries?offset=0&limit=50")

        let rows = try answer.decoded([LaterDeliveryRow].self)
        #expect(
            rows
                == demo.ids.map(demo.delivery).map { delivery in
                    LaterDeliveryRow(
                        id: delivery.key.text, remarks: delivery.remarks, pickupTime: delivery.pickupTime,
                        goodsPicture: "http://localhost/deliveries/pictures/\(delivery.picture.fileName)",
                        deliveryFee: DeliveryDocuments.money(delivery.feeCents),
                        surcharge: DeliveryDocuments.money(delivery.surchargeCents),
                        route: .init(start: delivery.route.start, end: delivery.route.end),
                        sender: .init(phone: delivery.sender.phone, name: delivery.sender.name, email: delivery.sender.email),
                        isFavourite: false)
                })
        #expect(answer.text.hasPrefix("[{\"id\":\"\(rows[0].id)\",\"remarks\":"))
    }

    @Test(arguments: [(0, "$0.00"), (7, "$0.07"), (9_214, "$92.14"), (100_000, "$1,000.00"), (123_456_78, "$123,456.78")])
    func `Money is written as people write it`(cents: Int, text: String) {
        #expect(DeliveryDocuments.money(cents) == text)
    }

    @Test(arguments: lists)
    func `Pages go on to the end, which is a short one`(list: String) async throws {
        let origin = try await makeOrigin()
        var counts: [Int] = []

        for offset in stride(from: 0, through: 60, by: 20) {
            counts.append(try await origin.answer("\(list)?offset=\(offset)&limit=20").decoded([Anything].self).count)
        }

        #expect(counts == [20, 20, 10, 0])
    }

    @Test(
        arguments: lists,
        [
            ("", "offset is missing."), ("?offset=0", "limit is missing."), ("?limit=20", "offset is missing."),
            ("?offset=-1&limit=20", "offset is negative."), ("?offset=0&limit=-20", "limit is negative."),
            ("?offset=one&limit=20", "offset is no whole number."), ("?offset=0&limit=1.5", "limit is no whole number."),
            ("?offset=&limit=20", "offset is no whole number."), ("?offset=%2B1&limit=20", "offset is no whole number."),
            ("?offset=99999999999999999999&limit=20", "offset is no whole number."), ("?offset=0&limit=1001", "limit can be at most 1000."),
        ])
    func `What is no page is refused with the reason`(list: String, wrong: (query: String, reason: String)) async throws {
        let answer = try await makeOrigin().answer(list + wrong.query)

        #expect(answer.status == .badRequest)
        #expect(answer.text == wrong.reason + "\n")
    }

    @Test(arguments: lists.map { "\($0)?offset=10&limit=20" } + ["/deliveries/pictures/flowers-3.svg", "/v1/deliveries/7/favourite"])
    func `What the client holds is not sent again`(path: String) async throws {
        let origin = try await makeOrigin()
        let first = try await origin.answer(path)
        let tag = try #require(first.headers[.eTag])

        let second = try await origin.answer(path, headers: [.ifNoneMatch: tag])
        let head = try await origin.answer(path, method: .head)

        #expect(second.status == .notModified && second.body.readableBytes == 0)
        #expect(second.headers[.eTag] == tag && second.headers[.cacheControl] == first.headers[.cacheControl])
        #expect(head.headers == first.headers && head.body.readableBytes == 0)
    }

    @Test func `A picture is what the description says, and can run nothing`() async throws {
        let origin = try await makeOrigin()
        let row = try #require(try await origin.answer("/deliveries?offset=4&limit=1").decoded([DeliveryRow].self).first)

        let answer = try await origin.answer(String(row.imageUrl.dropFirst("http://localhost".count)))

        let cargo = try #require(row.description.split(separator: " ").dropFirst().first)
        #expect(row.imageUrl.contains("/\(cargo)-"))
        #expect(answer.headers[.contentType] == "image/svg+xml")
        #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'")
        #expect(answer.headers[.cacheControl] == "max-age=86400")
        #expect(XMLTree.parse(answer.text)?.name == "svg")
    }

    @Test(arguments: [
        "/deliveries/", "/deliveries/7", "/v3/deliveries?offset=0&limit=1", "/deliveries/pictures/gold-1.svg", "/v1/deliveries/7",
    ])
    func `What does not exist is not found`(path: String) async throws {
        #expect(try await makeOrigin().answer(path).status == (path == "/deliveries/" ? .badRequest : .notFound))
    }

    @Test func `A list cannot be written`() async throws {
        let answer = try await makeOrigin().answer("/v1/deliveries", method: .post)

        #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == "GET, HEAD")
    }

    @Test(arguments: [-1, 1_000_001])
    func `A number of deliveries that cannot be made is refused`(deliveries: Int) async throws {
        let error = await #expect(throws: OriginError.self) { try await makeOrigin(deliveries: deliveries) }

        #expect(error?.description == "--deliveries cannot be \(deliveries): choose a number from 0 to 1000000.")
    }

    @Test func `Over a socket all of it can be paged through, and is counted`() async throws {
        let origin = try await RunningOrigin()

        let ids = try await origin.run { address in
            try await TestClient.withClient(host: "127.0.0.1", port: try #require(address.port)) { client in
                var ids: [Int] = []
                while true {
                    let answer = try await client.execute(
                        .init("/deliveries?offset=\(ids.count)&limit=20", method: .get, authority: "localhost"))
                    let page = try JSONDecoder().decode([DeliveryRow].self, from: Data((answer.body ?? .init()).readableBytesView))
                    ids += page.map(\.id)
                    if page.count < 20 { break }
                }
                _ = try await client.execute(.init("/deliveries/pictures/wine-0.svg", method: .get, authority: "localhost"))
                return ids
            }
        }

        #expect(ids == Array(0..<50))
        #expect(origin.counts.requests.deliveries == 3 && origin.counts.requests.pictures == 1)
        #expect(origin.counts.endings == [4, 0, 0])
    }

    /// Any element, whatever it is.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
