import HTTPTypes
import LadingHTTP

extension DispatchContexts {
    /// Returns the reason for which a command was not carried out, with the change that has prevented it.
    func commandProblem(_ response: BackendResponse, in content: DispatchService.Order) -> TemplateContext.DispatchProblem {
        let strings = texts.strings
        guard let rejection = APIRejection(response), let reason = reason(rejection) else {
            return TemplateContext.DispatchProblem(text: strings.commandRefused, lastChange: nil)
        }
        let change = rejection.orderState == nil ? nil : content.history.events.last
        return TemplateContext.DispatchProblem(
            text: strings.commandRefusedBecause.replacing("{reason}", with: reason), lastChange: change.map { event($0, in: content) })
    }

    /// Returns the reason for which entries were not saved.
    func entryProblem(_ response: BackendResponse) -> String {
        let rejection = APIRejection(response)
        let reason = rejection.flatMap(reason) ?? rejection?.detail ?? "\(response.status.code)"
        return texts.strings.entryInvalid.replacing("{reason}", with: reason)
    }

    /// Returns the reason of a response that is not final.
    func reason(of response: BackendResponse) -> String {
        APIRejection(response).flatMap(reason) ?? "\(response.status.code)"
    }

    private func reason(_ rejection: APIRejection) -> String? {
        texts.reason(rejection) { texts.time($0, now: orders.now(), serverZone: orders.timeZone) }
    }
}
