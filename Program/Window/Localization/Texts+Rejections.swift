// The reasons for which the API refuses a write, which it names by type.
extension Texts {
    /// Returns the reason of a rejection, to follow what was not done; nil for one that is not known.
    ///
    /// - Parameter time: Returns the text of a time.
    func reason(_ rejection: APIRejection, time: (DisplayTime) -> String) -> String? {
        switch rejection.name {
        case "taken": takenReason(rejection, time: time)
        case "wrong-state": rejection.orderState.map { strings.reasonWrongState.replacing("{state}", with: state($0)) }
        case "external-id-taken": rejection.order.map { strings.reasonNumberTaken.replacing("{order}", with: isolated("\($0)")) }
        case "too-large": rejection.limit.map { strings.reasonTooLarge.replacing("{limit}", with: isolated(bytes($0))) }
        case "file-invalid": rejection.rule.flatMap(requirement) ?? rejection.detail
        case "invalid-request": fieldReason(rejection) ?? rejection.detail.map(invalidReason)
        default: plainReason(rejection.name)
        }
    }

    /// Returns the courier who has the order and the time since then, as far as they are known.
    func takenReason(_ rejection: APIRejection, time: (DisplayTime) -> String) -> String {
        guard let name = rejection.holder?.name, let since = rejection.at.flatMap(DisplayTime.init) else { return strings.takenByOther }
        return strings.takenBy.replacing("{name}", with: isolated(name)).replacing("{time}", with: time(since))
    }

    /// Returns the reason of a rejection without facts; nil for an unknown one.
    private func plainReason(_ name: String) -> String? {
        switch name {
        case "stale-fence": strings.reasonChangedHands
        case "not-holder": strings.reasonNotHolder
        case "order-unknown": strings.reasonOrderUnknown
        case "report-unknown": strings.reasonReportUnknown
        case "proof-required": strings.reasonProofRequired
        case "proof-missing": strings.reasonProofNotStored
        case "holder-required": strings.reasonHolderRequired
        case "wrong-role": strings.reasonWrongRole
        case "key-reused": strings.reasonKeyReused
        case "rows-skipped": strings.reasonRowsSkipped
        case "unauthorized", "other-person": strings.reasonSignedOut
        case "unavailable": strings.reasonDatabaseUnavailable
        case "disk-full": strings.reasonDiskFull
        default: nil
        }
    }

    private func fieldReason(_ rejection: APIRejection) -> String? {
        guard let field = rejection.field, let rule = rejection.rule.flatMap(requirement) else { return nil }
        return strings.reasonField.replacing("{field}", with: label(ofField: field)).replacing("{rule}", with: rule)
    }

    private func invalidReason(_ detail: String) -> String {
        strings.reasonInvalid.replacing("{detail}", with: isolated(detail.truncated(to: Self.detailLimit)))
    }

    /// The maximum length of a detail of the API in a reason, in characters.
    private static let detailLimit = 300

    /// Returns the label of a field on the page; its name in the API if the page has none.
    private func label(ofField path: String) -> String {
        switch path {
        case "title": strings.orderTitle
        case "destination.address": strings.address
        case "latitude", "destination.latitude": strings.latitude
        case "longitude", "destination.longitude": strings.longitude
        case "due": strings.dueTime
        case "price": strings.price
        case "currency": strings.currency
        case "note": strings.noteForCourier
        case "items": strings.itemLines
        case "pin": strings.pinOfOrder
        case "externalId": strings.externalID
        case "courier": strings.courierColumn
        case "state": strings.stateColumn
        case "time-zone": strings.importTimeZone
        default: itemLabel(path) ?? isolated(path)
        }
    }

    /// Returns the label of the number of an item, such as `items.0.id`; nil for another path.
    private func itemLabel(_ path: String) -> String? {
        let parts = path.split(separator: ".")
        guard parts.count == 3, parts[0] == "items", parts[2] == "id", let index = Int(parts[1]), index < .max else {
            return nil
        }
        return strings.itemNumberField.replacing("{number}", with: number(index + 1))
    }
}
