import JSONWriting
import OrderLifecycle
import OrderStorage

extension OrderEvent {
    /// Writes the fields of an event.
    func write(to json: inout JSONWriter) {
        json.field("number", number: number)
        json.field("action", action.rawValue)
        json.field("state", state.rawValue)
        json.field("fence", number: fence.rawValue)
        json.field("holder", holder?.rawValue)
        json.field("actor", actor?.rawValue)
        json.field("actionTime", actionTime.text)
        json.field("acceptanceTime", acceptanceTime.text)
        json.field("handover", flag: isHandover)
        json.field("missingItems", array: missingItems) { item, json in json.string(item) }
        json.field("reason", reason?.rawValue)
        json.field("proofs", array: proofs) { proof, json in json.string(proof.rawValue) }
    }
}

extension OrderReport {
    /// Writes the fields of a report.
    func write(to json: inout JSONWriter) {
        json.field("action", action.rawValue)
        json.field("actor", actor.rawValue)
        json.field("fence", number: fence.rawValue)
        json.field("cause", cause.rawValue)
        json.field("actionTime", actionTime.text)
        json.field("acceptanceTime", acceptanceTime.text)
        json.field("missingItems", array: missingItems) { item, json in json.string(item) }
        json.field("reason", reason?.rawValue)
        json.field("proofs", array: proofs) { proof, json in json.string(proof.rawValue) }
    }
}

extension ProofRecord {
    /// Writes the fields of a proof.
    func write(to json: inout JSONWriter) {
        json.field("digest", id.digest.rawValue)
        json.field("person", id.person.rawValue)
        json.field("kind", kind.rawValue)
        json.field("mediaType", mediaType)
        json.field("length", number: length)
        json.field("storedTime", storedTime.text)
        json.field("deleted", flag: isDeleted)
    }
}

extension StoredVerdict {
    /// Writes an accepted or reported verdict.
    func write(to json: inout JSONWriter) {
        switch outcome {
        case .accepted(let events):
            json.field("outcome", "accepted")
            json.field("events", array: events) { number, json in json.number(number) }
        case .reported(let number, let cause):
            json.field("outcome", "reported")
            json.field("report", number: number)
            json.field("cause", cause.rawValue)
        case .refused, .changed, .externalIDTaken, .reportUnknown, .orderUnknown:
            json.field("outcome", "refused")
        }
        json.field("order", number: order)
        json.field("state", state?.rawValue)
        json.field("fence", number: version?.fence.rawValue)
        json.field("version", version?.text)
        json.field("at", acceptanceTime.text)
    }
}
