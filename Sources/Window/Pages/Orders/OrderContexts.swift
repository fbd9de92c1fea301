import DemoCity
import Foundation
import LadingFeeds
import Orders

/// Makes contexts of orders: what a row and a detail page say, in the words of one language.
struct OrderContexts: Sendable {
    let texts: Texts
    /// The zone of the server, in which times without a zone of their own are written for readers without scripts.
    let timeZone: TimeZone
    let legend: MapLegend
    let now: @Sendable () -> Date
    /// The point that distances are measured from; nil in rows that all pages share.
    var near: GeographicPoint?
    /// The pictures of items that are requested again.
    var missing = MissingPictures()

    // MARK: Rows

    /// The row of an order on its own; an event carries its place beside it.
    ///
    /// - Parameter index: Where a reload of the page has to begin to show the row again.
    func row(_ id: OrderID, _ state: FeedRowState<Order>, at index: Int, version: Int) -> TemplateContext.OrderRow {
        switch state {
        case .waiting: row(id, "waiting", version)
        case .loading: row(id, "loading", version, spinning: true)
        case .retrying(let error): row(id, "retrying", version, retrying: setback(id, error))
        case .loaded(let order): row(id, "loaded", version, loaded: loadedRow(order))
        case .stale(let order, let error): row(id, "loaded", version, loaded: loadedRow(order), stale: failure(id, error, at: index))
        case .failed(let error): row(id, "failed", version, failed: failure(id, error, at: index))
        }
    }

    private func row(
        _ id: OrderID, _ state: String, _ version: Int, spinning: Bool = false, retrying: TemplateContext.Setback? = nil,
        failed: TemplateContext.Failure? = nil, loaded: TemplateContext.LoadedOrderRow? = nil, stale: TemplateContext.Failure? = nil
    ) -> TemplateContext.OrderRow {
        TemplateContext.OrderRow(
            id: "\(id)", element: id.pathComponent, version: version, state: state,
            skeleton: retrying == nil && failed == nil && loaded == nil, spinning: spinning, retrying: retrying, failed: failed,
            loaded: loaded, stale: stale, texts: texts.plain)
    }

    private func loadedRow(_ order: Order) -> TemplateContext.LoadedOrderRow {
        let address = PostalAddress(address(of: order).clipped(to: 200))
        return TemplateContext.LoadedOrderRow(
            href: "/orders/\(order.id.pathComponent)", title: order.title.clipped(to: 200), street: address.street,
            endings: address.endings, hasAddress: !order.location.address.isEmpty, price: price(of: order),
            currency: currency(of: order).clipped(to: 12), itemCount: itemCount(of: order), due: due(order),
            point: order.location.point?.description, distance: texts.distance(from: near, to: order.location.point))
    }

    private func due(_ order: Order) -> TemplateContext.Time {
        guard let moment = order.deliveryMoment.flatMap(ShownTime.init) else {
            let text = order.deliveryDate.isEmpty ? texts.plain.noDeliveryDate : order.deliveryDate
            return TemplateContext.Time(machine: nil, text: text.clipped(to: 60))
        }
        return TemplateContext.Time(moment, texts.time(moment, at: now(), serverZone: timeZone))
    }

    // MARK: Details

    /// - Parameter stored: How long ago the order was stored; nil when it was loaded since the program began.
    func page(
        _ id: OrderID, _ state: FeedRowState<Order>, stored: String? = nil, version: Int, window: String
    ) -> TemplateContext.OrderPage {
        var retrying: TemplateContext.Setback?
        var failed: TemplateContext.Failure?
        var loaded: TemplateContext.LoadedOrder?
        var stale: TemplateContext.Failure?
        var name = "waiting"
        switch state {
        case .waiting: break
        case .loading: name = "loading"
        case .retrying(let error): (name, retrying) = ("retrying", setback(id, error))
        case .loaded(let order): (name, loaded) = ("loaded", loadedOrder(order))
        case .stale(let order, let error): (name, loaded, stale) = ("loaded", loadedOrder(order), failure(id, error))
        case .failed(let error): (name, failed) = ("failed", failure(id, error))
        }
        return TemplateContext.OrderPage(
            window: window, version: version, state: name, id: "\(id)", heading: texts.order(id),
            skeleton: failed == nil && loaded == nil, spinning: name != "waiting", retrying: retrying, failed: failed, loaded: loaded,
            stale: stale, stored: stored, texts: texts.plain)
    }

    private func loadedOrder(_ order: Order) -> TemplateContext.LoadedOrder {
        let (map, place) = (map(of: order), order.location.point)
        return TemplateContext.LoadedOrder(
            title: order.title, price: price(of: order), currency: currency(of: order), due: due(order),
            address: address(of: order), radiusSentence: radius(of: order), itemCount: itemCount(of: order),
            noItems: order.lacksItems && order.itemCount > 0 ? texts.plain.noItems : nil, navigateURL: place?.navigateURL,
            webMapURL: place?.webMapURL, info: order.info.isEmpty ? nil : order.info, map: map,
            noMap: map == nil ? noMap(of: place) : nil, items: order.items.map(item))
    }

    private func picture(of item: Item) -> String? {
        item.imageURL.flatMap { url in item.picturePath?.again(missing.round(of: url)) }
    }

    private func item(_ line: OrderItem) -> TemplateContext.Item {
        TemplateContext.Item(
            name: line.item?.name ?? texts.plain.unknownItem, quantity: line.quantity.map { texts.measure($0) } ?? "?",
            unit: line.quantityUnit,
            picture: line.item.flatMap(picture), unknown: line.item == nil)
    }

    private func map(of order: Order) -> TemplateContext.Map? {
        let location = order.location
        guard let point = location.point else { return nil }
        let pin = Coordinate(latitude: point.latitude, longitude: point.longitude)
        guard legend.shows(pin, address: location.address) else { return nil }
        return MapView(pin: pin, radius: location.radiusInMetres ?? 0)?
            .context(label: texts.map(of: order.title, at: location.address), address: location.address, legend: legend, texts.plain)
    }

    private func noMap(of place: GeographicPoint?) -> TemplateContext.NoMap {
        TemplateContext.NoMap(message: place == nil ? texts.plain.noOrderLocation : texts.plain.noMap, coordinates: place?.coordinates)
    }

    // MARK: Fields, each with a text for orders without it

    private func address(of order: Order) -> String {
        order.location.address.isEmpty ? texts.plain.noAddress : order.location.address
    }

    private func price(of order: Order) -> String { order.price.map { texts.price($0) } ?? texts.plain.noPrice }

    private func currency(of order: Order) -> String { order.price == nil ? "" : order.currency }

    private func radius(of order: Order) -> String {
        let unit = order.location.radiusUnit.clipped(to: 12)
        return order.location.radius.map { texts.within(texts.distance($0, unit: unit)) } ?? texts.plain.noRadius
    }

    /// The server's count, where it has one, even if the items themselves are missing.
    private func itemCount(of order: Order) -> String {
        order.lacksItems && order.itemCount == 0 ? texts.plain.noItems : texts.items(order.itemCount)
    }

    // MARK: Failures

    /// On the page of the order.
    private func failure(_ id: OrderID, _ error: any Error) -> TemplateContext.Failure {
        failure(id, error, action: "/orders/\(id.pathComponent)", [])
    }

    /// In the list.
    private func failure(_ id: OrderID, _ error: any Error, at index: Int) -> TemplateContext.Failure {
        var failure = failure(id, error, action: "/orders", [.init(name: "from", value: "\(index)")])
        failure.href = "/orders/\(id.pathComponent)"
        return failure
    }

    private func failure(_ id: OrderID, _ error: any Error, action: String, _ fields: [TemplateContext.Field]) -> TemplateContext.Failure {
        let problem = texts.problem(error, with: .order)
        return TemplateContext.Failure(
            title: texts.order(id), problem: problem.text, details: problem.details, action: action, fields: fields)
    }

    private func setback(_ id: OrderID, _ error: any Error) -> TemplateContext.Setback {
        let problem = texts.problem(error, with: .order)
        return TemplateContext.Setback(title: texts.order(id), problem: problem.text, details: problem.details)
    }

    /// The problem that keeps the list from being shown, or from being shown anew.
    func listProblem(_ error: any Error) -> PageProblem { texts.problem(error, with: .orders) }

    /// The problem of rows that could not be loaded for a search or sort.
    func arrangementProblem(_ failure: FeedArrangementFailure) -> PageProblem {
        let extent = failure.isStopped ? texts.plain.readingStopped : texts.unread(failure.count)
        let problem = texts.problem(failure.error, with: .order)
        return PageProblem(text: texts.joined(extent, problem.text), details: problem.details)
    }
}

extension Item {
    /// Where the window has its picture; nil when there is none to load.
    fileprivate var picturePath: String? { imageURL == nil ? nil : "/orders/items/\(id)/picture" }
}

extension OrderLocation {
    /// The radius in metres; nil when its unit is none of the usual ones.
    fileprivate var radiusInMetres: Double? {
        let metres: [String: Double] = ["m": 1, "km": 1_000, "mi": 1_609.344, "ft": 0.3048, "yd": 0.9144]
        guard let radius, let factor = metres[radiusUnit.lowercased()] else { return nil }
        return factor * Double(truncating: radius as NSDecimalNumber)
    }
}
