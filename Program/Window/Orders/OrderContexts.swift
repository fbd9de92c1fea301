import DemoCity
import Foundation
import LadingFeeds
import LadingRecords
import Orders

/// A factory of the template contexts of orders, for rows and detail pages, in one language.
struct OrderContexts: Sendable {
    let texts: Texts
    /// The time zone of the server, in which pages without scripts show times that have no zone.
    let timeZone: TimeZone
    let mapSource: MapSource
    /// Returns the current time, which determines whether a day is shown with its year.
    let now: @Sendable () -> Date
    /// The point from which distances are measured; nil in rows that all pages share.
    var near: GeographicPoint?
    /// The failed images of items, whose URLs contain the number of their retries.
    var failedImages = FailedImages()

    // MARK: Rows

    /// Returns the row of an order without its position in the list, which is a separate field of events.
    ///
    /// - Parameter index: The index of the row, with which the list begins after a retry without scripts.
    func row(_ id: OrderID, _ state: FeedRowState<Order>, at index: Int, version: Int) -> TemplateContext.OrderRow {
        switch state {
        case .idle: row(id, "waiting", version)
        case .loading: row(id, "loading", version, spinning: true)
        case .retrying(let error): row(id, "retrying", version, retrying: retryNotice(id, error))
        case .loaded(let order): row(id, "loaded", version, loaded: loadedRow(order))
        case .stale(let order, let error): row(id, "loaded", version, loaded: loadedRow(order), stale: failure(id, error, at: index))
        case .failed(let error): row(id, "failed", version, failed: failure(id, error, at: index))
        }
    }

    private func row(
        _ id: OrderID, _ state: String, _ version: Int, spinning: Bool = false, retrying: TemplateContext.RetryNotice? = nil,
        failed: TemplateContext.Failure? = nil, loaded: TemplateContext.LoadedOrderRow? = nil, stale: TemplateContext.Failure? = nil
    ) -> TemplateContext.OrderRow {
        TemplateContext.OrderRow(
            id: "\(id)", elementID: id.pathComponent, version: version, state: state,
            skeleton: retrying == nil && failed == nil && loaded == nil, spinning: spinning, retrying: retrying, failed: failed,
            loaded: loaded, stale: stale, texts: texts.strings)
    }

    func loadedRow(_ order: Order) -> TemplateContext.LoadedOrderRow {
        let address = PostalAddress(address(of: order).truncated(to: 200))
        return TemplateContext.LoadedOrderRow(
            href: "/orders/\(order.id.pathComponent)", title: order.title.truncated(to: 200), street: address.street,
            trailingAddressParts: address.trailingParts, hasAddress: !order.location.address.isEmpty, price: price(of: order),
            currency: currency(of: order).truncated(to: 12), itemCount: itemCount(of: order), deliveryTime: deliveryTime(of: order),
            point: order.location.point?.description, distance: texts.distanceText(from: near, to: order.location.point))
    }

    func deliveryTime(of order: Order) -> TemplateContext.Time {
        guard let displayTime = order.deliveryDateComponents.flatMap(DisplayTime.init) else {
            let text = order.deliveryDate.isEmpty ? texts.strings.noDeliveryDate : order.deliveryDate
            return TemplateContext.Time(dateTime: nil, text: text.truncated(to: 60))
        }
        return TemplateContext.Time(displayTime, texts.time(displayTime, now: now(), serverZone: timeZone))
    }

    // MARK: Details

    /// Returns the context of the page of an order.
    ///
    /// - Parameter stored: The age of a stored order; nil when it was loaded since the program started.
    func page(
        _ id: OrderID, _ state: FeedRowState<Order>, stored: String? = nil, version: Int, sessionID: String
    ) -> TemplateContext.OrderPage {
        var retrying: TemplateContext.RetryNotice?
        var failed: TemplateContext.Failure?
        var loaded: TemplateContext.LoadedOrder?
        var stale: TemplateContext.Failure?
        var name = "waiting"
        switch state {
        case .idle: break
        case .loading: name = "loading"
        case .retrying(let error): (name, retrying) = ("retrying", retryNotice(id, error))
        case .loaded(let order): (name, loaded) = ("loaded", loadedOrder(order))
        case .stale(let order, let error): (name, loaded, stale) = ("loaded", loadedOrder(order), failure(id, error))
        case .failed(let error): (name, failed) = ("failed", failure(id, error))
        }
        return TemplateContext.OrderPage(
            sessionID: sessionID, version: version, state: name, id: "\(id)", heading: texts.order(id),
            skeleton: failed == nil && loaded == nil, spinning: name == "loading" || name == "retrying", retrying: retrying,
            failed: failed, loaded: loaded, stale: stale, stored: stored, texts: texts.strings)
    }

    func loadedOrder(_ order: Order) -> TemplateContext.LoadedOrder {
        let (map, location) = (map(of: order), order.location.point)
        return TemplateContext.LoadedOrder(
            title: order.title, price: price(of: order), currency: currency(of: order), deliveryTime: deliveryTime(of: order),
            address: address(of: order), radiusText: radiusText(of: order), itemCount: itemCount(of: order),
            noItems: order.isMissingItems && order.itemCount > 0 ? texts.strings.noItems : nil, navigationURL: location?.navigationURL,
            webMapURL: location?.webMapURL, info: order.info.isEmpty ? nil : order.info, map: map,
            noMap: map == nil ? noMap(of: location) : nil, items: order.items.map(item))
    }

    private func imagePath(of item: Item) -> String? {
        item.imageURL.flatMap { url in item.imagePath?.addingRetryCount(failedImages.retryCount(of: url)) }
    }

    private func item(_ ordered: OrderItem) -> TemplateContext.Item {
        TemplateContext.Item(
            name: ordered.item?.name ?? texts.strings.unknownItem,
            quantity: ordered.quantity.map { texts.measure($0) } ?? ordered.quantityText ?? "?", unit: ordered.quantityUnit,
            imageURL: ordered.item.flatMap(imagePath), unknown: ordered.item == nil)
    }

    private func map(of order: Order) -> TemplateContext.Map? {
        let location = order.location
        guard let point = location.point else { return nil }
        let pin = Coordinate(latitude: point.latitude, longitude: point.longitude)
        guard mapSource.contains(pin, address: location.address) else { return nil }
        return MapView(pin: pin, radius: location.radiusInMeters ?? 0)?
            .context(
                label: texts.mapLabel(title: order.title, address: location.address), address: location.address, source: mapSource,
                texts.strings)
    }

    private func noMap(of location: GeographicPoint?) -> TemplateContext.NoMap {
        TemplateContext.NoMap(
            message: location == nil ? texts.strings.noOrderLocation : texts.strings.noMap, coordinates: location?.coordinates)
    }

    // MARK: Fields with fallback texts

    func address(of order: Order) -> String {
        order.location.address.isEmpty ? texts.strings.noAddress : order.location.address
    }

    func price(of order: Order) -> String { order.price.map { texts.price($0) } ?? texts.strings.noPrice }

    func currency(of order: Order) -> String { order.price == nil ? "" : order.currency }

    private func radiusText(of order: Order) -> String {
        let unit = order.location.radiusUnit.truncated(to: 12)
        return order.location.radius.map { texts.withinRadius(texts.distance($0, unit: unit)) } ?? texts.strings.noRadius
    }

    /// Returns the count of the server, or the text for no items if the count is missing as well.
    private func itemCount(of order: Order) -> String {
        order.isMissingItems && order.itemCount == 0 ? texts.strings.noItems : texts.items(order.itemCount)
    }

    // MARK: Failures

    /// Returns a failure on the page of an order.
    private func failure(_ id: OrderID, _ error: any Error) -> TemplateContext.Failure {
        failure(id, error, action: "/orders/\(id.pathComponent)", [])
    }

    /// Returns a failure in the list.
    private func failure(_ id: OrderID, _ error: any Error, at index: Int) -> TemplateContext.Failure {
        var failure = failure(id, error, action: "/orders", [.init(name: "from", value: "\(index)")])
        failure.href = "/orders/\(id.pathComponent)"
        return failure
    }

    private func failure(_ id: OrderID, _ error: any Error, action: String, _ fields: [TemplateContext.Field]) -> TemplateContext.Failure {
        let problem = texts.problem(for: error, subject: .order)
        return TemplateContext.Failure(
            title: texts.order(id), problem: problem.text, details: problem.details, action: action, fields: fields)
    }

    private func retryNotice(_ id: OrderID, _ error: any Error) -> TemplateContext.RetryNotice {
        let problem = texts.problem(for: error, subject: .order)
        return TemplateContext.RetryNotice(title: texts.order(id), problem: problem.text, details: problem.details)
    }

    /// Returns the problem that prevents the list from being loaded or refreshed.
    func listProblem(_ error: any Error) -> PageProblem { texts.problem(for: error, subject: .orders) }

    /// Returns the problem of rows that could not be loaded for a search or sort.
    func queryProblem(_ failure: FeedIndexingFailure) -> PageProblem {
        let effect = failure.isStopped ? texts.strings.loadingStopped : texts.unreadableOrders(failure.count)
        let problem = texts.problem(for: failure.error, subject: .order)
        return PageProblem(text: texts.joinedTexts(effect, problem.text), details: problem.details)
    }
}

extension Item {
    /// The path of the item's image; nil when it has none.
    fileprivate var imagePath: String? { imageURL == nil ? nil : "/orders/items/\(id)/picture" }
}

extension OrderLocation {
    /// The radius in meters; nil when its unit is unknown.
    fileprivate var radiusInMeters: Double? {
        let metersPerUnit: [String: Double] = ["m": 1, "km": 1_000, "mi": 1_609.344, "ft": 0.3048, "yd": 0.9144]
        guard let radius, let factor = metersPerUnit[radiusUnit.lowercased()] else { return nil }
        return factor * Double(truncating: radius as NSDecimalNumber)
    }
}
