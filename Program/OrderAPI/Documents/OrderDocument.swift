import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage

/// A person in a document: the id, and the name unless it was erased.
struct PersonDocument {
    let id: PersonID
    let name: String?

    func write(to json: inout JSONWriter) {
        json.field("id", id.rawValue)
        json.field("name", name)
    }
}

/// An order in a document.
struct OrderDocument {
    let record: OrderRecord
    /// The courier who has it, if known.
    let holder: Person?
    /// The distance from the place of the request, in metres.
    var distance: Double?
    /// The reasons to look at the order; nil for couriers, who see neither them nor the PIN.
    let attention: [AttentionReason]?

    func write(to json: inout JSONWriter) {
        json.field("id", number: record.id)
        json.field("state", record.state.rawValue)
        json.field("fence", number: record.fence.rawValue)
        json.field("version", record.version.text)
        writeContent(to: &json)
        if let holder = record.holder {
            json.field("holder", object: { PersonDocument(id: holder, name: self.holder?.name).write(to: &$0) })
        } else {
            json.field("holder", nil)
        }
        json.field("heldSince", record.heldSince?.text)
        json.field("leaseEnd", record.leaseEnd?.text)
        json.field("deadline", record.deadline?.text)
        json.field("attempts", number: record.attempts)
        json.field("openReports", number: record.openReports)
        json.field("externalId", record.externalID)
        if let attention { json.field("attention", array: attention) { reason, json in json.string(reason.rawValue) } }
        if let distance { json.field("distance", number: Int(distance.rounded())) }
    }

    private func writeContent(to json: inout JSONWriter) {
        let content = record.content
        json.field("title", content.title)
        json.field("note", content.note)
        json.field("price", content.price)
        json.field("currency", content.currency)
        json.field("deliveryTime", content.deliveryTime)
        json.field("due", content.due?.text)
        json.field(
            "destination",
            object: { json in
                json.field("address", content.destination.address)
                json.field("latitude", number: content.destination.coordinate?.latitude)
                json.field("longitude", number: content.destination.coordinate?.longitude)
                json.field("radius", number: content.destination.radius)
                json.field("radiusUnit", content.destination.radiusUnit)
            })
        json.field("items", array: content.items) { item, json in
            json.object { json in
                json.field("id", number: item.id)
                json.field("quantity", item.quantity)
                json.field("unit", item.unit)
            }
        }
        json.field("hasPin", flag: content.pin != nil)
        if attention != nil { json.field("pin", content.pin) }
    }
}

extension Response {
    /// Returns a JSON document.
    static func json(_ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], _ write: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(.unicode)
        json.object(write)
        var headers = fields
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: json.text + "\n")))
    }
}

extension HTTPFields {
    /// Returns the fields with the version of an order as a strong tag. A compressed response would have a weak one, which `If-Match` never matches
    /// (RFC 9110 §13.1.1).
    static func tag(of version: OrderVersion) -> HTTPFields {
        [.eTag: "\"\(version.text)\"", .cacheControl: "no-store, no-transform"]
    }
}
