import ArgumentParser
import Deliveries
import Foundation

/// Where the orders and deliveries come from.
struct FeedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server behind the apps.", valueName: "url"))
    var origin: WebAddress?

    @Option(help: ArgumentHelp("Where the list of orders is, on any server.", valueName: "url"))
    var ordersURL: WebAddress?

    @Option(help: ArgumentHelp("Where the list of items is, on any server.", valueName: "url"))
    var itemsURL: WebAddress?

    @Option(help: ArgumentHelp("Where the list of deliveries is, on any server.", valueName: "url"))
    var deliveriesURL: WebAddress?

    /// The port that an origin listens on unless told otherwise.
    static let originPort = 8081
    static let defaultOrigin = WebAddress(URL(string: "http://127.0.0.1:\(originPort)/")!)

    /// The addresses of both lists; what is not given comes from the origin.
    func lists(origin address: URL? = nil) -> (orders: URL, items: URL) {
        let base = (address ?? (origin ?? Self.defaultOrigin).url).appending(path: "swift-concurrency")
        return (ordersURL?.url ?? base.appending(path: "orders.plist"), itemsURL?.url ?? defaultItemsURL(base: base))
    }

    /// What the deliveries of an origin that the program starts itself are kept as, wherever it listens: those at the address that it usually has.
    static var embeddedOriginDeliveries: DeliveryList { DeliveryList(url: defaultOrigin.url.appending(path: "deliveries")) }

    /// The list of deliveries; when it is not given it comes from the origin.
    func deliveries(origin address: URL? = nil) -> DeliveryList {
        DeliveryList(url: deliveriesURL?.url ?? (address ?? (origin ?? Self.defaultOrigin).url).appending(path: "deliveries"))
    }

    /// The list of items lies beside that of the orders unless it is named.
    private func defaultItemsURL(base: URL) -> URL {
        guard let orders = ordersURL?.url, origin == nil else { return base.appending(path: "items.plist") }
        return orders.deletingLastPathComponent().appending(path: "items.plist")
    }

    /// What to do when the server of the orders cannot be reached.
    var hint: String { ordersURL == nil ? Self.originHint : "check the address given with --orders-url" }

    /// What to do when the server of the deliveries cannot be reached.
    var deliveriesHint: String { deliveriesURL == nil ? Self.originHint : "check the address given with --deliveries-url" }

    private static let originHint = "start it with \"lading serve\", or name another server with --origin"
}

/// An absolute http or https URL given on the command line.
struct WebAddress: ExpressibleByArgument, Sendable {
    let url: URL

    init(_ url: URL) {
        self.url = url
    }

    init?(argument: String) {
        guard let url = URL(string: argument), url.scheme == "http" || url.scheme == "https", url.host()?.isEmpty == false else {
            return nil
        }
        self.url = url
    }
}
