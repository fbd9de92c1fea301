import ArgumentParser
import Deliveries
import Foundation
import LadingHTTP
import Window

/// The addresses of the orders and deliveries.
struct FeedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The URL of the demo server.", valueName: "url"), transform: WebAddress.init(confidentialArgument:))
    var origin: WebAddress?

    @Option(
        help: ArgumentHelp("The URL of the list of orders, on any server, or @FILE with it.", valueName: "url"),
        transform: WebAddress.init(confidentialArgument:))
    var ordersURL: WebAddress?

    @Option(
        help: ArgumentHelp("The URL of the list of items, on any server, or @FILE with it.", valueName: "url"),
        transform: WebAddress.init(confidentialArgument:))
    var itemsURL: WebAddress?

    @Option(
        help: ArgumentHelp("The URL of the list of deliveries, on any server, or @FILE with it.", valueName: "url"),
        transform: WebAddress.init(confidentialArgument:))
    var deliveriesURL: WebAddress?

    /// The default port of an origin.
    static let originPort = 8081
    static let defaultOrigin = WebAddress(URL(string: "http://127.0.0.1:\(originPort)/")!)

    /// Returns the addresses of both lists; those not given are derived from the origin's.
    func lists(origin address: URL? = nil) -> (orders: URL, items: URL) {
        let base = (address ?? (origin ?? Self.defaultOrigin).url).appending(path: "swift-concurrency")
        return (ordersURL?.url ?? base.appending(path: "orders.plist"), itemsURL?.url ?? defaultItemsURL(base: base))
    }

    /// The list under which an embedded origin's deliveries are stored: that at the default address, whatever the actual one.
    static var embeddedOriginDeliveries: DeliveryList { DeliveryList(url: defaultOrigin.url.appending(path: "deliveries")) }

    /// Returns the list of deliveries; if not given, its address is derived from the origin's.
    func deliveries(origin address: URL? = nil) -> DeliveryList {
        DeliveryList(url: deliveriesURL?.url ?? (address ?? (origin ?? Self.defaultOrigin).url).appending(path: "deliveries"))
    }

    /// Returns the service for signing in at the origin; nil where the orders are those of another server.
    func account(_ engine: Engine, origin address: URL? = nil, offersDemoPeople: Bool = false) -> AccountService? {
        guard ordersURL == nil else { return nil }
        return AccountService(
            engine.client, streams: engine.streams, origin: address ?? (origin ?? Self.defaultOrigin).url,
            offersDemoPeople: offersDemoPeople)
    }

    /// Returns the default address of the list of items: next to the list of orders.
    private func defaultItemsURL(base: URL) -> URL {
        guard let orders = ordersURL?.url, origin == nil else { return base.appending(path: "items.plist") }
        return orders.deletingLastPathComponent().appending(path: "items.plist")
    }

    /// The advice for users when the server of the orders cannot be reached.
    var hint: String { ordersURL == nil ? Self.originHint : "check the URL of --orders-url" }

    /// The advice for users when the server of the deliveries cannot be reached.
    var deliveriesHint: String { deliveriesURL == nil ? Self.originHint : "check the URL of --deliveries-url" }

    private static let originHint = "start it with \"lading serve\", or choose another with --origin"
}

/// An absolute http or https URL from the command line.
struct WebAddress: Sendable {
    let url: URL

    init(_ url: URL) {
        self.url = url
    }

    /// Parses an argument, whose scheme may be in capitals.
    init(argument text: String) throws {
        guard let scheme = URL(string: text)?.scheme, let url = URL(string: scheme.lowercased() + text.dropFirst(scheme.count)),
            URLPolicy().violation(for: url) == nil
        else { throw ValidationError("expected an http or https URL with a host, such as http://127.0.0.1:8081/") }
        self.url = url
    }

    /// Parses an argument whose URL is in a file if it has a secret.
    init(confidentialArgument argument: String) throws { try self.init(argument: ConfidentialArgument.text(of: argument)) }
}
