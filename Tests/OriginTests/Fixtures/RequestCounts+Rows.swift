@testable import Origin

extension RequestCounts {
    /// Lists, orders, items, pictures.
    var asked: [Int] { [requests.lists, requests.orders, requests.items, requests.pictures] }
    /// Completed, cut off, hung up.
    var endings: [Int] { [completed, cutOff, hungUp] }
}
