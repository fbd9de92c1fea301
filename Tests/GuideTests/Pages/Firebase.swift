import Foundation
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingOperations
import LadingTransfers
import Testing

// block 1

// block 2

// block 3

// block 4

// test block 5

@MainActor func collectOrders(_ id: String, of shop: Shop) async throws {
    var orders: [JSONValue] = []
    try await shop.watch(id) { order, _ in orders.append(order) }
}
