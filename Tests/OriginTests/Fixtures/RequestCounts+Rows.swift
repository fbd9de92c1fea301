@testable import Origin

extension RequestCounts {
    /// The counts of lists, orders, items and images.
    var requestRow: [Int] { [requests.lists, requests.orders, requests.items, requests.images] }
    /// The counts of completed, client-closed and server-closed responses.
    var outcomeRow: [Int] { [completed, clientClosed, serverClosed] }
}
