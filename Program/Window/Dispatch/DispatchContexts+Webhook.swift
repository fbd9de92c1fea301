import Foundation
import OrderLifecycle

extension DispatchContexts {
    /// The maximum number of orders whose abandoned changes are linked.
    private static let abandonedOrderLimit = 10

    /// Returns the state of the webhook.
    func webhook(_ state: WebhookState) -> TemplateContext.DispatchWebhook {
        let now = Timestamp(milliseconds: Int64(orders.now().timeIntervalSince1970 * 1_000))
        let isWaiting = state.isWaiting(at: now)
        let abandoned = state.recentlyAbandoned(at: now)
        let abandonedOrders = Set(abandoned.compactMap(\.order)).sorted()
        let problems = [
            isWaiting ? texts.waitingChanges(state.pending) : nil, abandoned.isEmpty ? nil : texts.abandonedChanges(abandoned.count),
        ]
        return TemplateContext.DispatchWebhook(
            problems: problems.compactMap(\.self), upToDate: isWaiting ? nil : texts.strings.webhookUpToDate,
            lastSuccess: state.lastSuccess.flatMap(time), waitingSince: isWaiting ? state.pendingSince.flatMap(time) : nil,
            failingSince: state.failure.flatMap { time($0.since) }, lastError: state.failure.map(texts.reason),
            hasAbandonedOrders: !abandonedOrders.isEmpty, abandonedOrders: abandonedOrders.prefix(Self.abandonedOrderLimit).map(link),
            moreAbandonedOrders: texts.more(abandonedOrders.count - Self.abandonedOrderLimit), texts: texts.strings)
    }

    private func link(to order: Int) -> TemplateContext.DispatchLink {
        TemplateContext.DispatchLink(href: "\(DispatchQuery.path)/orders/\(order)", text: texts.order(order))
    }
}
