@testable import Origin

extension RequestCounts {
    /// Lists, orders, items, pictures.
    var requestRow: [Int] { [requests.lists, requests.orders, requests.items, requests.images] }
    /// Completed, cut off, hung up.
    var outcomeRow: [Int] { [completed, clientClosed, serverClosed] }
}
