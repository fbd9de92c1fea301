import Deliveries
import Foundation
import Testing

@testable import LadingCommand

@Suite struct DeliveryTableTests {
    @Test(arguments: [
        ("America/New_York", "2026-05-20 08:00"), ("Europe/Berlin", "2026-05-20 08:00 -04:00"),
        ("Asia/Kathmandu", "2026-05-20 08:00 -04:00"),
    ])
    func `A pickup time is shown with its offset where it differs from the reader's`(zone: String, text: String) throws {
        let delivery = Delivery(id: "1", pickup: Date(timeIntervalSince1970: 1_779_278_400), pickupOffset: -4 * 3_600)

        #expect(DeliveryTable.pickup(of: delivery, in: try #require(TimeZone(identifier: zone))) == text)
    }

    @Test(arguments: [("America/New_York", "08:00"), ("Europe/Berlin", "14:00"), ("Asia/Kathmandu", "17:45")])
    func `A pickup time without an offset is shown in the reader's time zone`(zone: String, time: String) throws {
        let delivery = Delivery(id: "1", pickup: Date(timeIntervalSince1970: 1_779_278_400))

        #expect(DeliveryTable.pickup(of: delivery, in: try #require(TimeZone(identifier: zone))) == "2026-05-20 \(time)")
    }
}
