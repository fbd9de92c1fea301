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
        json.field("pendingSince", pendingSince?.text)
        if let failure {
            json.field("failure", object: { failure.write(to: &$0) })
        } else {
            json.field("failure", nil)
        }
        json.field("lastSuccess", lastSuccess?.text)
        json.field("abandoned", array: abandoned) { event, json in
            json.object { json in
                json.field("id", event.id)
                json.field("order", number: event.order)
                json.field("reason", event.reason)
                json.field("time", event.time.text)
            }
        }
    }
}

extension WebhookMonitor.Failure {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("reason", reason)
        json.field("cause", cause.name)
        json.field("status", number: cause.status)
        json.field("since", since.text)
    }
}

extension WebhookMonitor.Failure.Cause {
    fileprivate var name: String {
        switch self {
        case .status: "status"
        case .unreachable: "unreachable"
        case .timedOut: "timed-out"
        case .interrupted: "interrupted"
        case .other: "other"
        }
    }

    fileprivate var status: Int? {
        if case .status(let code) = self { code } else { nil }
    }
}
