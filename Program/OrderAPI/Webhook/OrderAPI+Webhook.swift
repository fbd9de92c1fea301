import Hummingbird
import JSONWriting
import OrderLifecycle

extension OrderAPI {
    func addWebhook(to router: RouterGroup<some OrderAPIContext>) {
        router.get("webhook") { request, _ in
            _ = try await dispatcher(of: request)
            guard let status = settings.webhook?.status else { throw APIProblem.webhookUnknown }
            return Response.json { status.write(to: &$0) }
        }
    }
}

extension WebhookMonitor.Status {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("url", url)
        json.field("pending", number: pending)
        if let failure {
            json.field(
                "failure",
                object: { json in
                    json.field("reason", failure.reason)
                    json.field("since", failure.since.text)
                })
        } else {
            json.field("failure", nil)
        }
        json.field("abandoned", array: abandoned) { event, json in
            json.object { json in
                json.field("id", event.id)
                json.field("reason", event.reason)
                json.field("time", event.time.text)
            }
        }
    }
}
