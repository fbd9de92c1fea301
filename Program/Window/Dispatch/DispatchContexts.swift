import DemoCity
import Foundation
import LadingHTTP
import LadingRecords
import OrderLifecycle
import Orders

/// A factory of the template contexts of dispatchers, for one person in one language.
struct DispatchContexts: Sendable {
    let orders: OrderContexts
    let person: AccountService.Person
    /// The token of forms, which cannot be made without the person's token.
    let formToken: String
    let catalog: ItemCatalog
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String

    var texts: Texts { orders.texts }

    func order(_ order: APIOrder) -> Order { catalog.joined(order.order(timeZone: orders.timeZone, now: orders.now())) }

    func time(_ text: String) -> TemplateContext.Time? {
        DisplayTime(text).map { .init($0, texts.time($0, now: orders.now(), serverZone: orders.timeZone)) }
    }

    /// Returns the text of a failed read; nil without a failure.
    func problem(_ failure: (any Error)?) -> String? { failure.map { orders.listProblem($0).text } }
}

// MARK: - The table

extension DispatchContexts {
    func page(
        _ current: LiveScreen<RenderedTable>.Current, _ query: DispatchQuery, sessionID: String
    ) -> TemplateContext.DispatchPage {
        TemplateContext.DispatchPage(
            sessionID: sessionID, version: current.version, person: person.id,
            table: table(current.content.table, query, failure: current.failure), texts: texts.strings)
    }

    private func table(
        _ table: DispatchService.Table, _ query: DispatchQuery, failure: (any Error)?
    ) -> TemplateContext.DispatchTable {
        let couriers = table.people.filter(\.isCourier)
        let isQuiet = query.scope == .attention && query.text.isEmpty
        return TemplateContext.DispatchTable(
            parameters: query.parameters, show: query.scope.text, search: query.text,
            scopes: DispatchQuery.Scope.allCases.map { scope in
                .init(
                    value: scope.text, href: query.scoped(to: scope).url, text: text(of: scope),
                    count: texts.number(table.counts.count(of: scope)), isCurrent: scope == query.scope)
            },
            sorts: DispatchQuery.Sort.allCases.map { .init(value: $0.rawValue, text: text(of: $0), isOn: $0 == query.sort) },
            rows: table.rows.map(row),
            empty: table.rows.isEmpty ? isQuiet ? texts.strings.nothingNeedsAttention : texts.strings.noMatchingOrders : nil,
            problem: problem(failure), firstURL: query.cursor == nil ? nil : query.page(after: nil).url,
            nextURL: table.next.map { query.page(after: $0).url }, webhook: table.webhook.map(webhook), map: map(of: couriers),
            couriers: couriers.map { courier($0, table.counts) }, hasNoCouriers: couriers.isEmpty, texts: texts.strings)
    }

    private func text(of scope: DispatchQuery.Scope) -> String {
        switch scope {
        case .attention: texts.strings.needsAttention
        case .all: texts.strings.allOrders
        case .state(let state): texts.state(state)
        }
    }

    private func text(of sort: DispatchQuery.Sort) -> String {
        switch sort {
        case .newest: texts.strings.sortNewest
        case .due: texts.strings.sortDue
        case .price: texts.strings.sortPrice
        }
    }

    private func row(_ row: DispatchService.Row) -> TemplateContext.DispatchRow {
        let order = order(row)
        return TemplateContext.DispatchRow(
            id: "\(row.id)", href: "\(DispatchQuery.path)/orders/\(row.id)", title: order.title.truncated(to: 200),
            address: orders.address(of: order).truncated(to: 200), state: row.state.rawValue, stateText: texts.state(row.state),
            due: orders.deliveryTime(of: order), price: "\(orders.price(of: order)) \(orders.currency(of: order).truncated(to: 12))",
            courier: row.holder?.name ?? "", attention: attention(row.attention))
    }

    /// Returns the order of a row, without the fields that the table does not show.
    private func order(_ row: DispatchService.Row) -> Order {
        Order(
            id: OrderID(row.id), title: row.title, info: "", price: row.price, currency: row.currency,
            deliveryDate: row.due ?? row.deliveryTime, timeZone: orders.timeZone, sentAt: orders.now(),
            location: OrderLocation(address: row.destination.address, radius: 0, radiusUnit: "", point: nil), items: [])
    }

    func attention(_ reasons: [String]?) -> [String] { (reasons ?? []).compactMap(texts.attention) }

    private func courier(_ courier: DispatchService.Person, _ counts: DispatchService.Counts) -> TemplateContext.DispatchCourier {
        let load = counts.couriers.first { $0.id == courier.id }?.count ?? 0
        let point = courier.position.flatMap { GeographicPoint(latitude: $0.latitude, longitude: $0.longitude) }
        return TemplateContext.DispatchCourier(
            id: courier.id, name: courier.name ?? courier.id, load: texts.orders(load), lastSeen: courier.position.flatMap { time($0.at) },
            mapURL: point?.webMapURL, texts: texts.strings)
    }

    private func map(of couriers: [DispatchService.Person]) -> TemplateContext.OverviewMap? {
        let places = couriers.compactMap { courier in
            courier.position.map { (name: courier.name ?? "", at: Coordinate(latitude: $0.latitude, longitude: $0.longitude)) }
        }
        return OverviewMap(places.map(\.at), in: orders.mapSource)?
            .context(names: places.map(\.name), label: texts.strings.couriers, texts.strings)
    }
}

// MARK: - The place of a form

extension DispatchContexts {
    /// Returns the map of a form: around its place, or the middle of the demo's city; nil where there is none.
    func placeMap(of form: DispatchForm) -> TemplateContext.Map? {
        var center: Coordinate?
        if let latitude = Double(form[.latitude]), let longitude = Double(form[.longitude]) {
            center = Coordinate(latitude: latitude, longitude: longitude)
        } else if case .demoCity(let city) = orders.mapSource {
            center = city.center
        } else if let near = orders.near {
            center = Coordinate(latitude: near.latitude, longitude: near.longitude)
        }
        guard let center else { return nil }
        return MapView(pin: center, radius: Self.placeRadius)?
            .context(label: texts.strings.placeHint, address: nil, source: orders.mapSource, texts.strings)
    }

    /// The radius that the map of a form shows, in meters.
    private static let placeRadius = 100.0
}

// MARK: - An order

extension DispatchContexts {
    /// Returns the context of the page of an order.
    ///
    /// - Parameter rejection: The response to a command that was not carried out; nil for none.
    func page(
        _ content: DispatchService.Order, backURL: String, failure: (any Error)? = nil, rejection: BackendResponse? = nil, version: Int,
        sessionID: String
    ) -> TemplateContext.DispatchOrderPage {
        let problem = problem(failure).map { TemplateContext.DispatchProblem(text: $0, lastChange: nil) }
        return TemplateContext.DispatchOrderPage(
            backURL: backURL, sessionID: sessionID, version: version, person: person.id,
            order: order(content, problem: problem ?? rejection.map { commandProblem($0, in: content) }), texts: texts.strings)
    }

    private func order(_ content: DispatchService.Order, problem: TemplateContext.DispatchProblem?) -> TemplateContext.DispatchOrder {
        let order = content.order
        let catalogOrder = self.order(order)
        let itemNames = itemNames(of: catalogOrder)
        func allows(_ action: OrderAction) -> Bool {
            OrderState.allCases.contains { OrderTransition.allows(action, from: order.state, to: $0) }
        }
        return TemplateContext.DispatchOrder(
            id: "\(order.id)", title: order.title, state: order.state.rawValue, stateText: texts.state(order.state), problem: problem,
            attention: attention(order.attention), content: orders.loadedOrder(catalogOrder),
            deliveryWindow: orders.deliveryWindow(of: order), holder: order.holder?.name,
            externalID: order.externalId, pin: order.pin, action: "\(DispatchQuery.path)/orders/\(order.id)", formToken: formToken,
            key: makeKey(), canEdit: allows(.edit), canReassign: allows(.reassign), canCancel: allows(.cancel),
            canCorrect: allows(.correct),
            couriers: content.people.filter { $0.isCourier && $0.id != order.holder?.id }.map {
                .init(value: $0.id, text: $0.name ?? $0.id)
            },
            states: OrderState.allCases.filter { $0 != order.state }.map { .init(value: $0.rawValue, text: texts.state($0)) },
            hasReports: !content.history.reports.isEmpty, reports: content.history.reports.map { report($0, in: content, itemNames) },
            omittedReports: texts.omittedEntries(content.history.omittedReports),
            events: content.history.events.reversed().map { event($0, in: content, itemNames) },
            omittedEvents: texts.omittedEntries(content.history.omittedEvents), texts: texts.strings)
    }

    func event(_ event: APIHistory.Event, in content: DispatchService.Order) -> TemplateContext.DispatchEvent {
        self.event(event, in: content, itemNames(of: order(content.order)))
    }

    private func event(
        _ event: APIHistory.Event, in content: DispatchService.Order, _ itemNames: [String: String]
    ) -> TemplateContext.DispatchEvent {
        self.event(
            event.action, event.actionTime, actor: event.actor, to: event.holder, reason: event.reason, missingItems: event.missingItems,
            proofs: event.proofs, in: content, itemNames)
    }

    private func event(
        _ action: String, _ actionTime: String, actor: String?, to holder: String?, reason: String?, missingItems: [String]?,
        proofs: [String]?, in content: DispatchService.Order, _ itemNames: [String: String]
    ) -> TemplateContext.DispatchEvent {
        let reasonText = reason.flatMap(AttemptReason.init(rawValue:)).map(texts.reason)
        let missing = (missingItems ?? []).map { itemNames[$0] ?? $0 }
        let missingText = missing.isEmpty ? nil : texts.missing(missing)
        return TemplateContext.DispatchEvent(
            text: OrderAction(rawValue: action).map { texts.event($0, to: content.name(of: holder)) } ?? action,
            time: time(actionTime) ?? .init(dateTime: nil, text: actionTime), actor: content.name(of: actor) ?? "",
            details: [reasonText, missingText].compactMap(\.self), proofs: (proofs ?? []).map { proof($0, of: content) })
    }

    /// Returns the names of an order's items by their ids. It is called once for a page, whose history may have many missing items.
    private func itemNames(of order: Order) -> [String: String] {
        let names = order.items.compactMap { item in item.id.flatMap { id in item.item.map { (String(id), $0.name) } } }
        return Dictionary(names) { first, _ in first }
    }

    private func proof(_ digest: String, of content: DispatchService.Order) -> TemplateContext.DispatchProof {
        let proof = content.history.proofs?.first { $0.digest == digest }
        let isDeleted = proof?.deleted ?? true
        let isPicture = proof?.mediaType.hasPrefix("image/") ?? false
        return TemplateContext.DispatchProof(
            href: "\(DispatchQuery.path)/orders/\(content.order.id)/proofs/\(digest)",
            kind: proof.flatMap { texts.proofKind($0.kind) } ?? texts.strings.proof, isPicture: isPicture && !isDeleted,
            isText: !isPicture && !isDeleted, isDeleted: isDeleted, texts: texts.strings)
    }

    private func report(
        _ report: APIHistory.Report, in content: DispatchService.Order, _ itemNames: [String: String]
    ) -> TemplateContext.DispatchReport {
        let event = event(
            report.action, report.actionTime, actor: report.actor, to: nil, reason: report.reason, missingItems: report.missingItems,
            proofs: report.proofs, in: content, itemNames)
        return TemplateContext.DispatchReport(
            number: report.number ?? 0, event: event,
            cause: report.cause == "staleFence" ? texts.strings.reportStale : texts.strings.reportClosed, isOpen: !report.settled,
            action: "\(DispatchQuery.path)/orders/\(content.order.id)", formToken: formToken, key: makeKey(), texts: texts.strings)
    }
}

// MARK: - Texts

extension Texts {
    fileprivate func attention(_ reason: String) -> String? {
        switch reason {
        case "report": strings.attentionReport
        case "overdue": strings.attentionOverdue
        case "returning": strings.attentionReturning
        case "attempted": strings.attentionAttempted
        case "leaseEnding": strings.attentionLeaseEnding
        case "untaken": strings.attentionNotClaimed
        default: nil
        }
    }

    /// Returns the text of an event.
    ///
    /// - Parameter name: The name of the courier who has the order after it; nil for nobody.
    fileprivate func event(_ action: OrderAction, to name: String?) -> String {
        switch action {
        case .create: strings.stepCreate
        case .edit: strings.stepEdit
        case .expire: strings.stepExpire
        case .cancel: strings.stepCancel
        case .reassign: strings.stepReassign.replacing("{name}", with: isolated(name ?? "?"))
        case .correct: strings.stepCorrect
        case .accept: strings.stepAccept
        case .release: strings.stepGivenBack
        case .claim, .pickUp, .arrive, .attempt, .return, .deliver: step(action) ?? action.rawValue
        }
    }

    /// Returns the number of earlier entries of a history that are not shown; nil for none.
    func omittedEntries(_ count: Int?) -> String? {
        guard let count, count > 0 else { return nil }
        return plural(
            count, en: TwoForms(one: "# earlier entry is not shown.", other: "# earlier entries are not shown."),
            de: TwoForms(one: "# früherer Eintrag wird nicht angezeigt.", other: "# frühere Einträge werden nicht angezeigt."),
            zh: OneForm(other: "未顯示較早的 # 筆紀錄。"),
            ar: ArabicForms(
                zero: "لا توجد عناصر سابقة غير معروضة.", one: "عنصر سابق واحد غير معروض.", two: "عنصران سابقان غير معروضين.",
                few: "# عناصر سابقة غير معروضة.", many: "# عنصرًا سابقًا غير معروض.", other: "# عنصر سابق غير معروض."))
    }

    fileprivate func missing(_ items: [String]) -> String {
        strings.missingItems.replacing("{items}", with: items.map(isolated).joined(separator: ", "))
    }

    fileprivate func proofKind(_ kind: String) -> String? {
        switch kind {
        case "photo": strings.photoOfDelivery
        case "signature": strings.signature
        case "pin": strings.recipientPIN
        case "note": strings.deliveryNote
        default: nil
        }
    }
}
