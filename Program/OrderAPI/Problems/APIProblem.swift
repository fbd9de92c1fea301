import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderFiles
import OrderLifecycle
import OrderStorage

/// A rejection of the API, as a problem document (RFC 9457).
///
/// A client ends a write only if its problem is final; otherwise the same request may succeed later.
struct APIProblem: Error {
    /// The last part of the type, such as `taken`.
    let name: String
    let status: HTTPResponse.Status
    let title: String
    let detail: String
    let isFinal: Bool
    /// Writes the extension members (RFC 9457 §3.2), whose values a page formats.
    var extensionMembers: (@Sendable (inout JSONWriter) -> Void)?
    var fields: HTTPFields = [:]

    init(
        _ name: String, _ status: HTTPResponse.Status, _ title: String, _ detail: String, isFinal: Bool = true, fields: HTTPFields = [:],
        extensionMembers: (@Sendable (inout JSONWriter) -> Void)? = nil
    ) {
        self.name = name
        self.status = status
        self.title = title
        self.detail = detail
        self.isFinal = isFinal
        self.fields = fields
        self.extensionMembers = extensionMembers
    }

    /// The document, which caches do not store.
    var response: Response {
        var json = JSONWriter(.unicode)
        json.object { json in
            json.field("type", "urn:lading:problem:\(name)")
            json.field("title", title)
            json.field("status", number: status.code)
            json.field("detail", detail)
            json.field("final", flag: isFinal)
            extensionMembers?(&json)
        }
        var headers = fields
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: json.text + "\n")))
    }
}

extension APIProblem {
    static let unauthorized = APIProblem(
        "unauthorized", .unauthorized, "Sign in first", "Send a valid token: Authorization: Bearer TOKEN.", isFinal: false,
        fields: [.wwwAuthenticate: "Bearer"])
    static let otherPerson = APIProblem(
        "other-person", .unauthorized, "Somebody else is signed in", "The person of Lading-Person must sign in.", isFinal: false,
        fields: [.wwwAuthenticate: "Bearer"])
    /// RFC 4918 §11.5.
    static let diskFull = APIProblem(
        "disk-full", HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "The disk is full",
        "The disk of the server is full. Nothing was changed; send the request again later.", isFinal: false)
    static let unavailable = APIProblem(
        "unavailable", .serviceUnavailable, "The database cannot be reached",
        "Send the request again, with the same Idempotency-Key.", isFinal: false, fields: [.retryAfter: "1"])
    static let orderUnknown = APIProblem(
        "order-unknown", .notFound, "No such order", "The order does not exist, or is not visible to you.")
    static let personUnknown = APIProblem("person-unknown", .notFound, "No such person", "The person does not exist, or is revoked.")
    static let proofUnknown = APIProblem("proof-unknown", .notFound, "No such proof", "The proof does not exist, or is not visible to you.")
    static let webhookUnknown = APIProblem(
        "webhook-unknown", .notFound, "There is no webhook", "Start the server with --webhook to send events to another system.")
    /// RFC 9110 §13.1.1: a weak tag matches nothing.
    static let weakTag = APIProblem(
        "weak-tag", .preconditionFailed, "If-Match has a weak tag",
        "A weak tag, such as that of a compressed response, matches no order: send the version of the order in quotes, such as \"4.9\".")
    static let keyReused = APIProblem(
        "key-reused", .unprocessableContent, "Idempotency-Key is already used", "You have sent another request with this key.")

    /// The problem of a request with a mistake.
    ///
    /// - Parameters:
    ///   - field: The path of the faulty field or parameter; nil for a mistake that is not one of a field.
    ///   - rule: The rule that the field breaks; nil if only the detail says it.
    static func invalid(_ detail: String, field: String? = nil, rule: BrokenRule? = nil) -> APIProblem {
        APIProblem("invalid-request", .badRequest, "The request is not valid", detail) { json in
            if let field { json.field("field", field) }
            if let rule { json.field("rule", object: { rule.write(to: &$0) }) }
        }
    }

    static func invalid(_ error: DecodingError) -> APIProblem {
        invalid(error.fieldDescription, field: error.field, rule: error.rule)
    }

    /// The problem of a file that cannot be divided into rows.
    static func fileInvalid(_ error: OrderFileError) -> APIProblem {
        APIProblem("file-invalid", .unprocessableContent, "The file cannot be imported", "\(error)") { json in
            json.field("rule", object: { error.rule.write(to: &$0) })
        }
    }

    /// The problem of an import that was accepted and whose orders do not all exist yet.
    static func importUnfinished(_ progress: ImportProgress) -> APIProblem {
        APIProblem(
            "import-unfinished", .serviceUnavailable, "The import is not finished",
            """
            The import is accepted: \(progress.created) orders were created, and the server creates the others as soon as it can. Send the same \
            file again later to learn the result.
            """, isFinal: false, fields: [.retryAfter: "\(Maintenance.leaseInterval.components.seconds)"]
        ) { json in
            json.field("created", number: progress.created)
            json.field("existing", number: progress.existing)
        }
    }

    static func unsupportedType(_ types: String) -> APIProblem {
        APIProblem("unsupported-type", .unsupportedMediaType, "The content type is not supported", "Send \(types).")
    }

    static func tooLarge(limit: Int) -> APIProblem {
        APIProblem("too-large", .contentTooLarge, "The content is too large", "The maximum is \(limit) bytes.") { json in
            json.field("limit", number: limit)
        }
    }

    static func positionExpired(_ current: ChangePosition) -> APIProblem {
        APIProblem(
            "position-expired", .gone, "The changes after this position are not available",
            "Read the orders again, and continue from the position of that response."
        ) { json in
            json.field("position", current.text)
        }
    }

    static func signInLimitExceeded(delay: Int) -> APIProblem {
        APIProblem(
            "too-many-sign-ins", .tooManyRequests, "Too many failed sign-ins",
            "The link is not valid. A valid one works at once; try others in \(delay) seconds.", isFinal: false,
            fields: [.retryAfter: "\(delay)"])
    }

    /// The problem of a refused command.
    ///
    /// - Parameter holder: The courier who holds the order.
    static func rejection(_ rejection: OrderRejection, holder: Person? = nil) -> APIProblem {
        switch rejection {
        case .taken(let person, let since):
            APIProblem("taken", .conflict, "Another courier has the order", "The order has been taken.") { json in
                json.field("holder", object: { PersonDocument(id: person, name: holder?.name).write(to: &$0) })
                json.field("at", since.text)
            }
        case .wrongState(let state):
            APIProblem("wrong-state", .conflict, "The order is not in the right state", "The order is \(state.rawValue).") { json in
                json.field("state", state.rawValue)
            }
        case .staleFence(let current):
            APIProblem(
                "stale-fence", .preconditionFailed, "The order has changed hands", "Somebody else has had the order since your claim."
            ) { json in
                json.field("fence", number: current.rawValue)
            }
        case .unknownFence:
            APIProblem("unknown-fence", .preconditionFailed, "The order never had this fence", "Send the fence of your claim in If-Match.")
        case .notHolder: APIProblem("not-holder", .forbidden, "You do not have the order", "Only the courier of the order may do this.")
        case .proofRequired:
            APIProblem("proof-required", .unprocessableContent, "A proof is required", "Name at least one stored proof of the delivery.")
        case .proofMissing(let digest):
            APIProblem(
                "proof-missing", .conflict, "A proof is not stored yet", "Upload the proof, then send the request again.", isFinal: false
            ) { json in
                json.field("proof", digest.rawValue)
            }
        case .wrongRole(let role):
            APIProblem("wrong-role", .forbidden, "Your role does not permit this", "Only a \(role.rawValue) may do this.")
        case .holderRequired:
            APIProblem("holder-required", .unprocessableContent, "A courier is required", "Name the courier who has the order.")
        case .tooManyClaims:
            APIProblem(
                "too-many-claims", .conflict, "Too many claims",
                "You have had the order \(OrderLifecycle.claimLimit) times. Another courier must take it.")
        case .tooManyReports:
            APIProblem(
                "too-many-reports", .conflict, "Too many reports",
                "\(OrderReport.limitPerPerson) of your reports about the order wait for a dispatcher's decision. Call the dispatcher.")
        }
    }
}
