import Foundation
import Testing

@testable import Origin

@Suite("Demo deliveries")
struct DemoDeliveriesTests {
    let demo = DemoDeliveries(count: 2_000, seed: 1)

    @Test func `A seed determines the deliveries at every count`() {
        let more = DemoDeliveries(count: 1_000_000, seed: 1)

        let same = demo.ids.allSatisfy { demo.delivery($0) == more.delivery($0) }

        #expect(same)
        #expect(demo.ids == 0..<2_000)
    }

    @Test func `Different seeds generate different deliveries and keys`() {
        let other = DemoDeliveries(count: 2_000, seed: 2)

        let equal = demo.ids.filter {
            demo.delivery($0).route == other.delivery($0).route || demo.delivery($0).key == other.delivery($0).key
        }

        #expect(equal.isEmpty)
    }

    @Test func `A regenerated delivery has other content under the same id and key`() {
        let (before, after) = (demo.delivery(7), demo.regenerated(seed: 99, id: 7))

        #expect((after.id, after.key.text) == (before.id, before.key.text))
        #expect(after != before)
        #expect(demo.regenerated(seed: 99, id: 7) == after)
    }

    @Test func `Every delivery can be read by a courier`() {
        for delivery in demo.ids.map(demo.delivery) {
            #expect(delivery.description == "Deliver \(delivery.image.cargo.name) to \(delivery.recipient)")
            #expect(!delivery.recipient.isEmpty && delivery.recipient.count < 40)
            #expect(delivery.route.end.wholeMatch(of: #/\d+-\d\d [A-Z]\w+ Street/#) != nil, "\(delivery.route.end)")
            #expect(delivery.route.start.wholeMatch(of: #/\d+-\d\d [A-Z]\w+ Street/#) != nil)
            #expect(delivery.location == nil || delivery.location?.address == delivery.route.end)
            #expect(delivery.pickupTime.wholeMatch(of: #/2026-0[56]-\d\dT\d\d:(00|15|30|45):00-04:00/#) != nil)
            #expect(delivery.sender.phone.wholeMatch(of: #/\+1 \(718\) 555-01\d\d/#) != nil)
            #expect(delivery.sender.email.wholeMatch(of: #/[a-z]+@example\.com/#) != nil)
        }
    }

    @Test func `About one in forty has no location`() {
        let missing = demo.ids.map(demo.delivery).count { $0.location == nil }

        #expect((30...75).contains(missing))
    }

    @Test func `Deliveries cover all images and have distinct keys`() {
        let deliveries = demo.ids.map(demo.delivery)

        #expect(Set(deliveries.map(\.image.cargo)) == Set(Cargo.all))
        #expect(Set(deliveries.map(\.image)).count == Cargo.all.count * DeliveryImage.variants.count)
        #expect(Set(deliveries.map(\.description)).count > 1_500)
        #expect(Set(deliveries.map(\.key)).count == 2_000)
        #expect(deliveries.contains { $0.recipient.unicodeScalars.contains { $0.properties.isIdeographic } })
    }

    @Test(arguments: [0, 1, 999_999])
    func `A key contains the index of its delivery`(place: Int) throws {
        let key = DeliveryKey(index: place, random: (.max, 0))

        #expect(key.text == "fffffffffffffff000" + String(format: "%06x", place))
        #expect(key.index == place)
        #expect(try #require(DeliveryKey(key.text)) == key)
    }

    @Test(arguments: [
        "", "7", "fffffffffffffff00000000", "FFFFFFFFFFFFFFF000000000", "fffffffffffffff00000000g", "fffffffffffffff0000000000",
    ])
    func `Malformed text is not a key`(text: String) {
        #expect(DeliveryKey(text) == nil)
    }
}

@Suite("Delivery images")
struct DeliveryImageTests {
    @Test(arguments: Cargo.all)
    func `Every motif in every colour has an image of its own`(cargo: Cargo) throws {
        let images = DeliveryImage.variants.map { DeliveryImage(cargo: cargo, variant: $0) }

        for image in images {
            let tree = try #require(XMLTree.parse(image.document))
            #expect(tree.name == "svg" && tree.children.last?.name == "g" && tree.children.last?.children.isEmpty == false)
            #expect(image.document.utf8.count < 4_000)
            #expect(DeliveryImage(fileName: image.fileName) == image)
        }
        #expect(Set(images.map(\.document)).count == 16)
    }

    @Test(arguments: [
        "", "flowers", "flowers.svg", "flowers-16.svg", "flowers-01.svg", "flowers--1.svg", "flowers-1.png", "gold-1.svg",
        "flowers-1.svg.svg",
    ])
    func `An unknown file name is not an image`(name: String) {
        #expect(DeliveryImage(fileName: name) == nil)
    }
}
