import Foundation
import OrderLifecycle
import OrderStorage
import SeededNumbers

/// A simulated dispatcher, who enters orders as they come, and accepts the reports of couriers.
struct CityDispatcher {
    /// The number of open orders above which no further ones come.
    private static let openLimit = 450
    /// The simulated time between two orders, in seconds: ten couriers deliver about as many.
    private static let interval = 30...90
    /// The real time in which an order is due, in seconds.
    private static let dueTime = 2_400...7_200
    private static let failureDelay = 3.0

    let service: CityService
    let time: SimulatedTime
    /// Returns the content of a new order.
    let content: @Sendable (Int, Timestamp) -> OrderContent
    var random: SplitMix64
    var number: Int

    /// Works until the task is cancelled or the token is not valid.
    mutating func run() async {
        while !Task.isCancelled {
            do {
                try await time.wait(Self.interval, &random)
                for order in try await service.ordersThatNeedAttention() where order.openReports > 0 {
                    for report in try await service.openReports(of: order.id) { try await accept(report, of: order.id) }
                }
                guard try await service.openCount() < Self.openLimit else { continue }
                try await createOrder()
            } catch let failure as CityService.Failure where failure.isSignedOut {
                return
            } catch {
                try? await time.wait(real: Self.failureDelay)
            }
        }
    }

    private func accept(_ report: Int, of order: Int) async throws {
        // Another dispatcher may have decided otherwise.
        do { try await service.perform("orders/\(order)/accept", ["report": report]) } catch is CityService.Failure { return }
    }

    private mutating func createOrder() async throws {
        number += 1
        let seconds = Date().timeIntervalSince1970 + Double(random.integer(in: Self.dueTime))
        try await service.perform("orders", CityOrder(content(number, Timestamp(milliseconds: Int64(seconds * 1_000)))))
    }
}

/// A new order in the form of the API.
private struct CityOrder: Encodable {
    struct Destination: Encodable {
        let address: String
        let latitude: Double?
        let longitude: Double?
        let radius: Double
        let radiusUnit: String
    }

    struct Item: Encodable {
        let id: Int
        let quantity: String
        let unit: String
    }

    let title: String
    let note: String
    let price: String
    let currency: String
    let due: String?
    let destination: Destination
    let items: [Item]

    init(_ content: OrderContent) {
        (title, note, price, currency) = (content.title, content.note, content.price, content.currency)
        due = content.due?.text
        let place = content.destination
        destination = Destination(
            address: place.address, latitude: place.coordinate?.latitude, longitude: place.coordinate?.longitude, radius: place.radius,
            radiusUnit: place.radiusUnit)
        items = content.items.map { Item(id: $0.id, quantity: $0.quantity, unit: $0.unit) }
    }
}
