import Foundation
import OrderLifecycle
import OrderStorage
import SeededNumbers

/// A simulated courier, who takes an order nearby, fetches the goods in a shop, brings them to the door and proves it with a photo.
struct CityCourier {
    /// The number of the nearest orders of which the courier takes one.
    private static let choices = 8
    /// The real time after a failure before the courier looks at the own orders again, in seconds.
    private static let failureDelay = 3.0

    let service: CityService
    let time: SimulatedTime
    let shops: [Coordinate]
    /// Returns the photo of a delivered order.
    let photo: @Sendable (Int) -> [UInt8]
    var place: Coordinate
    var random: SplitMix64

    /// Works until the task is cancelled or the token is not valid. After a failure the courier continues with the orders that the server knows.
    mutating func run() async {
        while !Task.isCancelled {
            do {
                for order in try await service.ownOrders() { try await carryOut(order) }
                try await claimNextOrder()
            } catch let failure as CityService.Failure where failure.isSignedOut {
                return
            } catch {
                try? await time.wait(real: Self.failureDelay)
            }
        }
    }

    private mutating func claimNextOrder() async throws {
        try await time.wait(20...120, &random)
        let orders = try await service.openOrders(near: place, limit: Self.choices)
        guard !orders.isEmpty else { return }
        let order = random.element(of: orders)
        // Somebody else may have been faster.
        do { try await service.perform("orders/\(order.id)/claim") } catch is CityService.Failure { return }
    }

    /// Performs the remaining steps of an order.
    private mutating func carryOut(_ order: CityService.Order) async throws {
        var order = order
        while order.state.isHeld {
            try await performStep(of: order)
            order = try await service.order(order.id)
        }
    }

    private mutating func performStep(of order: CityService.Order) async throws {
        let path = "orders/\(order.id)"
        switch order.state {
        case .claimed:
            try await move(to: nearestShop(to: order))
            try await time.wait(30...180, &random)
            let missing = random.isTrue(onceIn: 8) ? order.items.prefix(1).map { "\($0.id)" } : []
            try await service.perform("\(path)/pick-up", fence: order.fence, ["missingItems": missing])
        case .pickedUp:
            if order.attempts > 0 { try await time.wait(300...900, &random) }
            if let place = order.place { try await move(to: place) }
            try await service.perform("\(path)/arrive", fence: order.fence)
        case .arrived:
            try await time.wait(30...150, &random)
            if random.isTrue(onceIn: 10) {
                try await service.perform("\(path)/attempt", fence: order.fence, ["reason": AttemptReason.recipientUnavailable.rawValue])
            } else {
                let proof = try await service.upload(photo(order.id), of: order.id)
                try await service.perform("\(path)/deliver", fence: order.fence, ["proofs": [proof]])
            }
        case .returning:
            try await move(to: nearestShop(to: order))
            try await service.perform("\(path)/return", fence: order.fence)
        case .open, .delivered, .returned, .cancelled: break
        }
    }

    private func nearestShop(to order: CityService.Order) -> Coordinate {
        let place = order.place ?? place
        return shops.min { $0.distance(to: place) < $1.distance(to: place) } ?? place
    }

    /// Moves to a place, and reports where the courier is on the way.
    private mutating func move(to target: Coordinate) async throws {
        let start = place
        let duration = start.distance(to: target) / SimulatedTime.courierSpeed / time.speed
        let steps = max(1, Int(duration / SimulatedTime.positionInterval))
        for step in 1...steps {
            try await time.wait(real: duration / Double(steps))
            place = start.place(on: Double(step) / Double(steps), of: target)
            try await service.report(place, at: Date())
        }
    }
}

extension OrderState {
    /// Whether a courier has the order.
    fileprivate var isHeld: Bool {
        switch self {
        case .claimed, .pickedUp, .arrived, .returning: true
        case .open, .delivered, .returned, .cancelled: false
        }
    }
}

extension Coordinate {
    /// Returns the place after a share of the way to another one, which is near.
    fileprivate func place(on share: Double, of target: Coordinate) -> Coordinate {
        Coordinate(
            latitude: latitude + (target.latitude - latitude) * share, longitude: longitude + (target.longitude - longitude) * share)
            ?? target
    }
}
