import Digests
import Foundation
import HTTPTypes
import LadingHTTP
import OrderLifecycle
import Orders

/// A factory of the template contexts of a courier's orders, for one person in one language.
struct CourierContexts: Sendable {
    let orders: OrderContexts
    let person: AccountService.Person
    /// The token of forms, which cannot be made without the person's token.
    let formToken: String
    let catalog: ItemCatalog
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String

    private var texts: Texts { orders.texts }

    // MARK: Rows

    /// Returns the content of an order's row.
    ///
    /// - Parameter hasLeft: Whether the order is not open any more, or not the courier's.
    func rowContent(_ order: APIOrder, hasLeft: Bool, at index: Int) -> CourierRowContent {
        CourierRowContent(
            order: order, index: index, hasLeft: hasLeft, canTake: order.state == .open && !hasLeft && !person.isDispatcher,
            isHeld: order.isHeld(by: person.id), hour: Int(orders.now().timeIntervalSince1970 / 3_600))
    }

    /// Makes the values of a row's form.
    func formValues() -> CourierRowCache.FormValues { .init(key: makeKey(), formToken: formToken) }

    /// Returns the context of a row. Nothing but the form depends on the person.
    func row(_ content: CourierRowContent, form: CourierRowCache.FormValues) -> TemplateContext.CourierRow {
        let (order, index) = (content.order, content.index)
        return TemplateContext.CourierRow(
            id: "\(order.id)", index: index, position: index + 1, odd: !index.isMultiple(of: 2), order: orders.loadedRow(self.order(order)),
            form: self.form(order, form), canTake: content.canTake,
            stateText: content.hasLeft ? texts.strings.noLongerOpen : content.isHeld ? ownState(order.state) : nil,
            state: content.hasLeft ? "left" : order.state.rawValue, texts: texts.strings)
    }

    private func ownState(_ state: OrderState) -> String {
        state == .claimed ? "\(texts.strings.yours) · \(texts.state(state))" : texts.state(state)
    }

    private func order(_ order: APIOrder) -> Order {
        catalog.joined(order.order(timeZone: orders.timeZone, now: orders.now()))
    }

    private func form(_ order: APIOrder, _ values: CourierRowCache.FormValues) -> TemplateContext.StepForm {
        TemplateContext.StepForm(action: "/orders/\(order.id)", fence: order.fence, formToken: values.formToken, key: values.key)
    }

    // MARK: The page of an order

    /// Returns the context of the page of an order.
    ///
    /// - Parameter entry: What a form without scripts sent that was not accepted; nil for none.
    func page(
        _ content: CourierOrderContent, failure: (any Error)? = nil, entry: TemplateContext.StepEntry? = nil, version: Int,
        sessionID: String
    ) -> TemplateContext.CourierOrderPage {
        let order = content.order
        let isVisible = order.isHeld(by: person.id) || order.state == .open || order.state.isFinal
        let state = isVisible && !content.hasLeft ? order.state.rawValue : "left"
        return TemplateContext.CourierOrderPage(
            sessionID: sessionID, version: version, person: person.id, stepTexts: stepTexts,
            order: .init(
                id: "\(order.id)", title: content.isGone ? texts.order(order.id) : order.title, isGone: content.isGone, state: state,
                stateText: state == "left" ? texts.strings.noLongerOpen : texts.state(order.state), stateTexts: stateTexts,
                attempts: order.attempts, content: orders.loadedOrder(self.order(order)),
                deliveryWindow: orders.deliveryWindow(of: order), items: items(of: order), form: form(order, formValues()),
                hasPIN: order.hasPin, steps: steps(in: content.history),
                canAct: !person.isDispatcher, reasons: reasons(entry?.reason), entry: entry ?? TemplateContext.StepEntry(),
                problem: failure.map { orders.listProblem($0).text } ?? entry?.problem, texts: texts.strings),
            texts: texts.strings)
    }

    private var stateTexts: String {
        var states = Dictionary(uniqueKeysWithValues: OrderState.allCases.map { ($0.rawValue, texts.state($0)) })
        states["left"] = texts.strings.noLongerOpen
        return JSONText(encoding: states).text
    }

    /// The steps by the last part of their path.
    var stepTexts: String {
        let steps: [(String, OrderAction)] = [
            ("pick-up", .pickUp), ("arrive", .arrive), ("deliver", .deliver), ("attempt", .attempt), ("return", .return),
            ("release", .release),
        ]
        return JSONText(encoding: Dictionary(uniqueKeysWithValues: steps.map { ($0.0, texts.step($0.1) ?? "") })).text
    }

    private func items(of order: APIOrder) -> [TemplateContext.CourierItem] {
        zip(order.items, orders.loadedOrder(self.order(order)).items).map { item, context in
            TemplateContext.CourierItem(id: "\(item.id)", item: context)
        }
    }

    private func reasons(_ selected: String?) -> [TemplateContext.AttemptReason] {
        AttemptReason.allCases.map { reason in
            .init(value: reason.rawValue, text: texts.reason(reason), isSelected: reason.rawValue == selected)
        }
    }

    private func steps(in history: APIHistory?) -> [TemplateContext.Step] {
        guard let history else { return [] }
        let events = history.events.filter { $0.actor == person.id }.compactMap { event in
            step(event.action, event.actionTime, texts.strings.sent)
        }
        return events + history.reports.compactMap { step($0.action, $0.actionTime, outcome(of: $0, in: history)) }
    }

    /// Returns what has become of a report: somebody else had the order, or it was not to be delivered any more.
    private func outcome(of report: APIHistory.Report, in history: APIHistory) -> String {
        guard report.cause == "staleFence", history.holder?.id != person.id, let name = history.holder?.name,
            let time = history.heldSince.flatMap(DisplayTime.init)
        else { return texts.strings.reported }
        return texts.reported(to: name, at: text(of: time))
    }

    private func step(_ action: String, _ time: String, _ outcome: String) -> TemplateContext.Step? {
        guard let action = OrderAction(rawValue: action), let title = texts.step(action), let time = DisplayTime(time) else { return nil }
        return TemplateContext.Step(text: title, time: .init(time, text(of: time)), outcome: outcome)
    }

    /// Returns a time with its zone, for pages without scripts.
    private func text(of time: DisplayTime) -> String { texts.time(time, now: orders.now(), serverZone: orders.timeZone) }

    // MARK: Rejections

    /// Returns the reason of a response that is not final.
    func reason(of response: BackendResponse) -> String {
        APIRejection(response).flatMap { texts.reason($0, time: text) } ?? "\(response.status.code)"
    }

    /// Returns the reason for which a command was refused.
    func rejection(_ response: BackendResponse) -> String {
        guard let rejection = APIRejection(response) else { return texts.strings.refused }
        return switch rejection.name {
        case "taken": texts.takenReason(rejection, time: text)
        case "proof-required", "unsupported-type": texts.strings.proofMissing
        case "proof-invalid": texts.strings.proofInvalid
        case "pin-wrong": texts.strings.pinWrong
        case "pin-locked": texts.strings.pinLocked
        case "too-many-claims": texts.strings.tooManyClaims
        case "too-many-reports": texts.strings.tooManyReports
        default:
            texts.reason(rejection, time: text).map { texts.strings.refusedBecause.replacing("{reason}", with: $0) }
                ?? texts.strings.refused
        }
    }
}

extension Texts {
    /// Returns what has become of a step after the order was given to somebody else.
    func reported(to name: String, at time: String) -> String {
        strings.reportedGiven.replacing("{name}", with: isolated(name)).replacing("{time}", with: time)
    }

    func title(of scope: OrderService.Scope) -> String {
        switch scope {
        case .open: strings.openOrders
        case .mine: strings.myOrders
        case .all: strings.allOrders
        }
    }

    /// Returns the short title of a list, in the links to all lists.
    func tab(of scope: OrderService.Scope) -> String {
        switch scope {
        case .open: strings.openOrdersTab
        case .mine: strings.myOrdersTab
        case .all: strings.allOrders
        }
    }

    func state(_ state: OrderState) -> String {
        switch state {
        case .open: strings.stateOpen
        case .claimed: strings.stateClaimed
        case .pickedUp: strings.statePickedUp
        case .arrived: strings.stateArrived
        case .returning: strings.stateReturning
        case .returned: strings.stateReturned
        case .delivered: strings.stateDelivered
        case .cancelled: strings.stateCancelled
        }
    }

    func reason(_ reason: AttemptReason) -> String {
        switch reason {
        case .recipientUnavailable: strings.reasonRecipientUnavailable
        case .refused: strings.reasonRefused
        case .wrongAddress: strings.reasonWrongAddress
        case .noAccess: strings.reasonNoAccess
        case .damaged: strings.reasonDamaged
        case .other: strings.reasonOther
        }
    }

    /// Returns the text of a courier's step; nil for the actions of others.
    func step(_ action: OrderAction) -> String? {
        switch action {
        case .claim: strings.stepClaim
        case .release: strings.stepRelease
        case .pickUp: strings.stepPickUp
        case .arrive: strings.stepArrive
        case .attempt: strings.stepAttempt
        case .return: strings.stepReturn
        case .deliver: strings.stepDeliver
        case .create, .edit, .expire, .cancel, .reassign, .correct, .accept: nil
        }
    }
}
