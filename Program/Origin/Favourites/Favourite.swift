import JSONWriting

/// The favourite state of a delivery, with the time of the action that set it.
struct Favourite: Equatable, Sendable {
    let isFavourite: Bool
    /// Nil when the state was never set.
    let timestamp: ActionTimestamp?

    static let unset = Favourite(isFavourite: false, timestamp: nil)

    /// Returns `{"id":7,"favourite":true,"at":"2026-05-15T12:00:00Z"}`.
    ///
    /// The id is text in version 2; `at` is null when the state was never set.
    ///
    /// - Parameter id: Nil for version 2.
    func document(id: Int?, key: DeliveryKey) -> String {
        document { json in
            if let id { json.field("id", number: id) } else { json.field("id", key.text) }
        }
    }

    /// Returns the state as a JSON object.
    ///
    /// - Parameter members: Writes members before those of the state.
    func document(members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(.unicode)
        json.object { json in
            members(&json)
            json.field("favourite", flag: isFavourite)
            if let timestamp { json.field("at", timestamp.text) } else { json.field("at", nil) }
        }
        return json.text
    }
}
