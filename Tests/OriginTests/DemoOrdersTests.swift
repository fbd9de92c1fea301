import DemoCity
import Foundation
import TemporaryFolders
import Testing
import SeededNumbers

@testable import Origin

@Suite("Demo orders")
struct DemoOrdersTests {
    let demo = DemoOrders(count: 2_000, seed: 1)

    @Test func `A seed determines the orders`() {
        let again = DemoOrders(count: 2_000, seed: 1)

        let same = demo.ids.allSatisfy { demo.order($0) == again.order($0) }

        #expect(same)
    }

    @Test func `Different seeds generate different orders`() {
        let other = DemoOrders(count: 2_000, seed: 2)

        let equal = demo.ids.filter { OrderDocuments.order(demo.order($0)) == OrderDocuments.order(other.order($0)) }

        #expect(equal.isEmpty)
    }

    @Test func `A larger count leaves existing orders unchanged`() {
        let more = DemoOrders(count: 100_000, seed: 1)

        #expect(more.order(7) == demo.order(7))
        #expect(more.ids == 1..<100_001)
    }

    @Test func `The generator draws the published sequence on every platform`() {
        var generator = SplitMix64(seed: 1, stream: 1)

        let draws = (0..<3).map { _ in generator.next() }

        #expect(draws == [5_948_053_812_914_333_585, 10_371_359_604_880_545_516, 14_441_401_676_596_576_120])
    }

    @Test func `Every order can be read by a courier`() {
        for order in demo.ids.map(demo.order) {
            #expect(!order.title.isEmpty && !order.info.isEmpty)
            #expect(order.price.wholeMatch(of: #/\d+\.\d\d/#) != nil, "\(order.price)")
            #expect(order.deliveryDate.wholeMatch(of: #/(May|June), \d+(st|nd|rd|th) \d\d:(00|15|30|45)/#) != nil)
            #expect(order.itemCount == order.items.count)
            #expect((1...12).contains(order.items.count))
            #expect(Set(order.items.map(\.id)).count == order.items.count)
            #expect(order.items.allSatisfy { (1...28).contains($0.id) })
        }
    }

    @Test func `Every radius is half a kilometer to five kilometers`() {
        let kilometers = ["km": 1, "mi": 1.609, "m": 0.001]

        let radii = demo.ids.map { demo.order($0).location }.map { $0.radius * kilometers[$0.radiusUnit, default: 0] }

        #expect(radii.allSatisfy { (0.5...5).contains($0) })
    }

    @Test func `About one order in twelve is paid in another currency`() {
        let ownCurrency = City().currency

        let foreign = demo.ids.map { demo.order($0).currency }.filter { $0 != ownCurrency }

        #expect((100...240).contains(foreign.count))
        #expect(Set(foreign) == ["EUR", "GBP", "CAD"])
    }

    @Test func `Orders are spread over titles, notes and days`() {
        let orders = demo.ids.map(demo.order)

        #expect(Set(orders.map(\.title)).count >= 24)
        #expect(Set(orders.map(\.info)).count >= 24)
        #expect(Set(orders.compactMap { $0.deliveryDate.split(separator: " ").dropLast().last }).count == 14)
        #expect(Set(orders.map(\.location.address)).count > 500)
    }
}

@Suite("Demo time slots")
struct DemoTimeSlotTests {
    @Test(arguments: [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th"),
        (21, "21st"), (22, "22nd"), (23, "23rd"), (30, "30th"), (31, "31st"),
    ])
    func `Days have English ordinals`(day: Int, ordinal: String) {
        #expect(DemoTimeSlot.ordinal(day) == ordinal)
    }

    @Test(arguments: [
        (0, 0, "May, 20th 08:00"),
        (11, 32, "May, 31st 16:00"),
        (12, 1, "June, 1st 08:15"),
        (13, 55, "June, 2nd 21:45"),
    ])
    func `The fortnight crosses the end of a month`(day: Int, quarter: Int, text: String) {
        #expect(DemoTimeSlot(day: day, slot: quarter).text == text)
    }

    @Test(arguments: [
        (0, 0, "2026-05-20T08:00:00-04:00"), (11, 55, "2026-05-31T21:45:00-04:00"), (12, 1, "2026-06-01T08:15:00-04:00"),
    ])
    func `The ISO text names the same time slot`(day: Int, quarter: Int, text: String) {
        #expect(DemoTimeSlot(day: day, slot: quarter).isoText == text)
    }
}

@Suite("Groceries")
struct GroceryTests {
    @Test func `The catalog is numbered from 1 and names its images`() {
        #expect(Grocery.catalog.map(\.id) == Array(1...28))
        #expect(Grocery.catalog.first?.imageFileName == "1-broccoli.svg")
        #expect(Grocery.catalog[7].imageFileName == "8-bell-pepper.svg")
        #expect(Grocery.catalog.last?.imageFileName == "28-honey.svg")
    }

    @Test func `Half a kilogram is written with a decimal point and a whole one without`() {
        let kilograms = GroceryUnit.kilograms(cents: 100)

        #expect(kilograms.quantity(ofSteps: 1) == "0.5")
        #expect(kilograms.quantity(ofSteps: 2) == "1")
        #expect(GroceryUnit.grams(step: 250, cents: 100, upTo: 4).quantity(ofSteps: 3) == "750")
    }

    @Test func `A missing image is named in the error`() throws {
        let empty = try TemporaryFolder()

        let error = #expect(throws: OriginError.self) { try GroceryImages(directory: empty.url) }

        #expect(error?.description.contains("1-broccoli.svg is missing") == true)
    }
}
