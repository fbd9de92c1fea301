import HTTPTypes
import LadingHTTP

extension DispatchContexts {
    /// Returns the reason for which a command was not carried out, with the change that has prevented it.
    func commandProblem(_ response: BackendResponse, in content: DispatchService.Order) -> TemplateContext.DispatchProblem {
        let strings = texts.strings
        guard let refusal = APIRefusal(response), let reason = reason(refusal) else {
            return TemplateContext.DispatchProblem(text: strings.commandRefused, lastChange: nil)
        }
        let change = refusal.orderState == nil ? nil : content.history.events.last
        return TemplateContext.DispatchProblem(
            text: strings.commandRefusedBecause.replacing("{reason}", with: reason), lastChange: change.map { event($0, in: content) })
    }

    /// Returns the reason for which entries were not saved.
    func entryProblem(_ response: BackendResponse) -> String {
        let refusal = APIRefusal(response)
        let reason = refusal.flatMap(reason) ?? refusal?.detail ?? "\(response.status.code)"
        return texts.strings.entryInvalid.replacing("{reason}", with: reason)
    }

    private func reason(_ refusal: APIRefusal) -> String? {
        texts.reason(refusal) { texts.time($0, now: orders.now(), serverZone: orders.timeZone) }
    }
}
